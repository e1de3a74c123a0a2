/**
 * Describes a failed connection to PostgreSQL for operators: the cause in words, without passwords,
 * and with the server's own words where they say more.
 */

/** Error codes of Node's sockets, DNS and TLS. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused: nothing listens at the address of DATABASE_URL',
  ECONNRESET: 'it closes the connection',
  ENOENT: 'the socket that DATABASE_URL names is not there',
  EACCES: 'this account may not open the socket that DATABASE_URL names',
  EHOSTUNREACH: 'there is no route to the host of DATABASE_URL',
  ENETUNREACH: 'there is no route to the host of DATABASE_URL',
  ETIMEDOUT: 'nothing answers at the address of DATABASE_URL',
  ENOTFOUND: 'the name in DATABASE_URL does not resolve',
  EAI_AGAIN: 'the name in DATABASE_URL does not resolve now',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS, which sslmode in DATABASE_URL wants',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than the host of DATABASE_URL',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: do the clocks agree?',
};

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** SQLSTATE, PostgreSQL's appendix A. */
const STATES: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the password or the account of DATABASE_URL',
  '28000':
    'its rules (pg_hba.conf) refuse the account, its certificate, or a connection without TLS',
  '3D000': 'the database that DATABASE_URL names does not exist',
  '42501': 'its account may not do what Portcullis needs',
  '53300': 'it has no connection left (max_connections)',
  '57P01': 'an administrator ended the connection',
  '57P02': 'another session of it crashed',
  '57P03': 'it is starting, stopping or recovering, and will answer later',
  '57P04': 'the database was dropped',
  '08P01': 'it, or a pooler before it, refuses the connection',
  '25006': 'it takes no writes: it is a standby, or read-only',
};

/** Messages of the driver, which have no code. */
const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/i, 'it does not offer TLS, which sslmode in DATABASE_URL wants'],
  [/timeout|timed out/i, 'nothing answers at the address of DATABASE_URL in time'],
  [/password must be a string/i, 'it wants a password, and DATABASE_URL has none'],
  [/terminated|closed/i, 'it closes the connection'],
];

export interface DatabaseFault {
  code?: string | undefined;
  message?: string | undefined;
}

export function describeDatabaseFault({ code = '', message = '' }: DatabaseFault): string {
  if (UNTRUSTED.has(code)) return untrusted(code);
  const state = STATES[code];
  if (state !== undefined) return `${state}${quote(message)}`;
  const known = REASONS[code] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  if (known !== undefined) return known;
  const text = /certificate/i.test(message) ? 'its certificate is refused' : 'the connection fails';
  return `${text}${code === '' ? '' : ` (${code})`}${quote(message)}`;
}

function untrusted(code: string): string {
  return `its certificate is not trusted (${code}): sslrootcert in DATABASE_URL names the file of its CA, and sslmode=no-verify encrypts without verifying`;
}

const LONGEST = 200;

/** One line of the other side's, marked as theirs. */
function quote(message: string): string {
  const line = message.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  if (line === '') return '';
  return `; it says “${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}”`;
}
