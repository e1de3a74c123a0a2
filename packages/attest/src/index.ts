export type { AuthorityFault, AuthorityFaultCode } from './authority/faults.ts';
export { type OpenedAuthority, openAuthority } from './authority/open-authority.ts';
export { collectSignatures } from './reading/collect.ts';
export { type StatementLayers, statementLayers } from './reading/statement-layers.ts';
export { isAttestationTag, reducedBy, withoutStatements } from './reading/without-statements.ts';
export { SIGSTORE_ROOT_DATE } from './roots/root.ts';
export { MAX_STATEMENT_BYTES, signStatement } from './signing/sign-statement.ts';
export {
  generateSigningKey,
  openSigningKey,
  publicJwk,
  type SigningKey,
} from './signing/signing-key.ts';
export type { VerificationFact } from './verifying/fact.ts';
export { verifySignatures } from './verifying/verify-signatures.ts';
