/** Describes a connection fault in English, without secrets. */
import { oneLine } from './one-line.ts';

const UNTRUSTED = 'its certificate is not signed by an authority we trust';
const NO_TLS = 'it does not speak TLS that we understand';

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'no answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  EPROTO: NO_TLS,
};

export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error instanceof AggregateError && error.errors.length > 0) return faultText(error.errors[0]);
  return wordsOf(error) ?? oneLine(error.message);
}

/** nodemailer replaces the code of the connection and keeps it as `originalCode`. */
function wordsOf(error: Error): string | undefined {
  const codes = [
    'originalCode' in error ? String(error.originalCode) : '',
    'code' in error ? String(error.code) : '',
  ];
  const words = codes.map(wordsFor).find((text) => text !== undefined);
  return words ?? (error.cause instanceof Error ? wordsOf(error.cause) : undefined);
}

function wordsFor(code: string): string | undefined {
  if (Object.hasOwn(WORDS, code)) return WORDS[code];
  return code.startsWith('ERR_SSL_') ? NO_TLS : undefined;
}
