/** What is wrong with an authority, as a fault of a field. */
import type { AuthorityFault, AuthorityFaultCode } from '@portcullis/attest';
import { type FieldFault, type FieldFaultCode, fieldFault } from '@portcullis/contract';

type Params = AuthorityFault['params'];

/** The schema of the operation finds most of these before. */
const OTHERWISE: [FieldFaultCode, () => string] = ['INVALID', () => 'The value is not valid.'];

const MESSAGES: Record<Exclude<AuthorityFaultCode, 'FIELD_INVALID'>, (params: Params) => string> = {
  KEY_INVALID: () => 'Public keys in PEM are expected.',
  KEY_IS_PRIVATE: () => 'This is a private key: give the public one, and keep this one secret.',
  KEY_IS_CERTIFICATE: () => 'This is a certificate: choose the kind `certificate`.',
  KEY_TYPE_REFUSED: ({ type }) =>
    `ECDSA P-256 or P-384, RSA or Ed25519 is expected; this is ${type}.`,
  KEY_TOO_SHORT: ({ bits, least }) => `RSA needs ${least} bits; this key has ${bits}.`,
  KEYS_TOO_MANY: ({ most }) => `At most ${most} keys are expected.`,
  ISSUER_INVALID: () => 'The issuer is compared letter by letter, and has no spaces or stars.',
  PATTERN_TOO_WIDE: () =>
    'The pattern would match strangers who use the same provider: name an owner without a star.',
  ROOT_INVALID: () => '`sigstore`, or the text of a trusted_root.json is expected.',
  ROOT_EMPTY: () => 'The root has no certificate authority, or neither a log nor timestamps.',
  STORE_MISSING: () => 'Certificates of those who issue to signers are needed.',
  STORE_INVALID: () => 'Certificates in PEM are expected.',
  STORE_CERTIFICATE_UNFIT: ({ subject }) =>
    `${subject} is not the certificate of an authority, and others issued it.`,
  IDENTITY_INVALID: ({ identity }) =>
    `${identity} is not \`x509.subject:\` with C, ST and O, and not \`*\` alone.`,
};

export function presentFault({ code, field, params }: AuthorityFault): FieldFault {
  if (code === 'FIELD_INVALID') return fieldFault(field, OTHERWISE[0], OTHERWISE[1]());
  return fieldFault(field, code, MESSAGES[code](params), { ...params });
}
