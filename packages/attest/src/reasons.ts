/**
 * Why a signature does not count for an authority: a closed list. Words for them are data
 * elsewhere; the parameters are what such a sentence names.
 */

export const REASONS = [
  // What was found can't be read.
  'SIGNATURE_TOO_LARGE',
  'SIGNATURE_UNREADABLE',
  'FORMAT_UNKNOWN',
  'FORMAT_INVALID',
  // What was signed is something else.
  'PAYLOAD_INVALID',
  'PAYLOAD_TYPE_UNKNOWN',
  'DIGEST_DIFFERS',
  // The signature and its key.
  'KIND_DIFFERS',
  'KEY_DIFFERS',
  'SIGNATURE_INVALID',
  // The certificate.
  'CERTIFICATE_MISSING',
  'CERTIFICATE_INVALID',
  'CERTIFICATE_UNFIT',
  'CERTIFICATE_UNTRUSTED',
  'CERTIFICATE_OUT_OF_DATE',
  'SCT_MISSING',
  // Logs and timestamps.
  'LOG_ENTRY_MISSING',
  'LOG_ENTRY_REPEATED',
  'LOG_ENTRY_UNKNOWN',
  'LOG_ENTRY_INVALID',
  'LOG_ENTRY_DIFFERS',
  'TIMESTAMP_MISSING',
  'TIMESTAMP_INVALID',
  'WITNESSES_TOO_MANY',
  // Who signed.
  'ISSUER_DIFFERS',
  'SUBJECT_DIFFERS',
  'CLAIM_DIFFERS',
  'IDENTITY_DIFFERS',
  // Headers of the Notary Project.
  'CRITICAL_HEADER_UNKNOWN',
  'HEADER_INVALID',
  'ALGORITHM_UNKNOWN',
  'SIGNING_SCHEME_UNKNOWN',
  'SIGNATURE_EXPIRED',
] as const;

export type ReasonCode = (typeof REASONS)[number];

export interface Reason {
  readonly code: ReasonCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** Thrown within the package alone: parsers end with it, and verdicts have its reason. */
export class Refusal extends Error {
  readonly reason: Reason;

  constructor(code: ReasonCode, params: Reason['params'] = {}, options?: ErrorOptions) {
    super(code, options);
    this.reason = { code, params };
  }
}

/** Long texts of strangers are cut, because reasons are stored. */
export function quote(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What a stranger wrote may make any library throw anything: it is `otherwise` then. */
export function reasonOf(error: unknown, otherwise: ReasonCode): Reason {
  return error instanceof Refusal ? error.reason : { code: otherwise, params: {} };
}
