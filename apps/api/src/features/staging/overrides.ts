/**
 * Refuses fields of a pull or transfer that relax the scan policy, unless the account may override
 * it.
 */
import type { FieldFault } from '@portcullis/contract';
import {
  mayOverride,
  type Principal,
  relaxing,
  type ScanOverrides,
  type ScanPolicy,
} from '@portcullis/domain';
import { forbidden } from '@portcullis/errors';

const FIELDS = {
  vulnScanEnabled: 'vuln_scan_enabled_override',
  vulnSeverities: 'vuln_severities_override',
} as const satisfies Record<keyof ScanOverrides, string>;

export function overrideFaults(
  policy: ScanPolicy,
  overrides: ScanOverrides,
  principal: Principal,
): FieldFault[] {
  const decision = mayOverride(policy, overrides, principal);
  if (decision.allowed) return [];
  const { code, reason: message } = decision;
  return relaxing(policy, overrides).map((override) => ({
    path: FIELDS[override],
    code,
    params: {},
    message,
  }));
}

/** @throws forbidden `OVERRIDE_FORBIDDEN`, naming the fields */
export function assertMayOverride(
  policy: ScanPolicy,
  overrides: ScanOverrides,
  principal: Principal,
): void {
  const faults = overrideFaults(policy, overrides, principal);
  const [first] = faults;
  if (!first) return;
  throw forbidden(first.code, first.message, { detail: { errors: faults } });
}
