export { Authority } from './authority/authority.ts';
export {
  AUTHORITY_FAULTS,
  type AuthorityFault,
  type AuthorityFaultCode,
} from './authority/faults.ts';
export {
  type AuthorityOrFaults,
  type OpenedAuthority,
  openAuthority,
} from './authority/open-authority.ts';
export { LIMITS } from './limits.ts';
export { type CollectedSignatures, collectSignatures } from './reading/collect.ts';
export type { FoundSignature, SignatureOrigin } from './reading/signature.ts';
export type { Reason } from './reasons.ts';
export { SIGSTORE_ROOT_DATE } from './roots/root.ts';
export type { VerificationFact, Verified } from './verifying/fact.ts';
export { type VerifyOptions, verifySignatures } from './verifying/verify-signatures.ts';
