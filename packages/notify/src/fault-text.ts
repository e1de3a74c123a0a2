/** A fault of a connection in words for people; never with a secret. */
import { oneLine } from './one-line.ts';

const UNTRUSTED = 'its certificate is not signed by an authority we trust';

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
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  EPROTO: 'it does not speak TLS that we understand',
};

export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  if (error instanceof AggregateError && error.errors.length > 0) return faultText(error.errors[0]);
  return WORDS[codeOf(error)] ?? (UNTRUSTED_TEXT.test(error.message) ? UNTRUSTED : oneLine(error.message));
}

/** nodemailer keeps OpenSSL's words and drops its code. */
const UNTRUSTED_TEXT = /self-signed certificate|unable to (verify|get).* certificate/i;

/** Mail faults hide the connection's own code in their cause or their text. */
function codeOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  if (code in WORDS) return code;
  if (error.cause instanceof Error) return codeOf(error.cause);
  return Object.keys(WORDS).find((word) => error.message.includes(word)) ?? code;
}
