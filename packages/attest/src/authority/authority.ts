/**
 * Authorities: whose signatures are trusted. Pure data, as people write and keep it;
 * `openAuthority` checks what a schema can't.
 */
import { z } from 'zod';

/** The extensions of Fulcio's certificates that an authority may ask for, by their last number. */
export const CLAIMS = {
  build_signer: 9,
  runner_environment: 11,
  source_repository: 12,
  source_ref: 14,
  build_config: 18,
  build_trigger: 20,
} as const;
export type ClaimName = keyof typeof CLAIMS;

const Pem = z.string().min(1).max(65_536);
const Text = z.string().min(1).max(1024);

const shared = { name: z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/) };

const KeyAuthority = z.strictObject({
  ...shared,
  kind: z.literal('key'),
  /** Public keys in PEM, each in a separate block; a signature of any of them counts. */
  keys: Pem,
});

const KeylessAuthority = z.strictObject({
  ...shared,
  kind: z.literal('keyless'),
  /** The OIDC issuer, letter by letter. */
  issuer: Text,
  /** Who signed: letter by letter, or with `*` and `**`. */
  subject: Text,
  /** What else the certificate has to say; each like `subject`. */
  claims: z.partialRecord(z.enum(Object.keys(CLAIMS) as ClaimName[]), Text).optional(),
  /** `sigstore`, or a `trusted_root.json`. */
  root: z.string().min(1).max(1_048_576),
});

const CertificateAuthority = z.strictObject({
  ...shared,
  kind: z.literal('certificate'),
  /** Certificates in PEM that issue those of signers: notation's trust store `ca`. */
  store: Pem.optional(),
  /** Those of signing authorities, which vouch for the time as well: `signingAuthority`. */
  signing_authority_store: Pem.optional(),
  /** Those of timestamp authorities, for signatures that outlive their certificate: `tsa`. */
  timestamp_store: Pem.optional(),
  /** Who may sign: `x509.subject: C=…, ST=…, O=…` with what else has to match, or `*` alone. */
  identities: z.array(Text).min(1).max(50),
});

export const Authority = z.discriminatedUnion('kind', [
  KeyAuthority,
  KeylessAuthority,
  CertificateAuthority,
]);
export type Authority = z.infer<typeof Authority>;
export type AuthorityOf<Kind extends Authority['kind']> = Extract<Authority, { kind: Kind }>;
