import { forbidden } from '@portcullis/errors';

/** The answer of a rule. Rules return decisions; services throw. */
export type Decision = { allowed: true } | { allowed: false; code: DenialCode; reason: string };

export const DENIAL_CODES = [
  'VULN_BLOCKED',
  'SCAN_REQUIRED',
  'DATABASE_TOO_OLD',
  'OVERRIDE_FORBIDDEN',
  'ARTIFACT_BLOCKED',
  'SIGNATURE_MISSING',
  'SIGNATURES_NOT_VERIFIED',
  'TOO_YOUNG',
  'FOLDER_FORBIDDEN',
  'MIRROR_READ_ONLY',
  'PULL_EXTERNAL_FORBIDDEN',
  'PUSH_EXTERNAL_FORBIDDEN',
  'WAIVER_FORBIDDEN',
  'WAIVER_OWN_REQUEST',
  'REVIEW_OWN_REQUEST',
  'REVIEW_NOT_YOURS',
  'TOKEN_ACTION',
] as const;
export type DenialCode = (typeof DENIAL_CODES)[number];

export const ALLOWED: Decision = { allowed: true };

export function denied(code: DenialCode, reason: string): Decision {
  return { allowed: false, code, reason };
}

/** @throws forbidden with the decision's own code and reason */
export function assertAllowed(decision: Decision): void {
  if (!decision.allowed) throw forbidden(decision.code, decision.reason);
}
