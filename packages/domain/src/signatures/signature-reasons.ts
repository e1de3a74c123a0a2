/**
 * Why a signature does not count for an authority: a closed list. Words for them are data
 * elsewhere; the parameters are what such a sentence names.
 */

/** What `packages/attest` finds. */
export const SIGNATURE_REASONS = [
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
export type SignatureReason = (typeof SIGNATURE_REASONS)[number];

/** What a requirement finds of a signature that verifies: it is of another kind. */
const KIND_REASONS = ['IS_ATTESTATION', 'IS_SIGNATURE', 'PREDICATE_DIFFERS'] as const;

/** Why a signature does not count for a requirement of a policy. */
export const UNCOUNTED_REASONS = [...SIGNATURE_REASONS, ...KIND_REASONS] as const;
export type UncountedReason = (typeof UNCOUNTED_REASONS)[number];
