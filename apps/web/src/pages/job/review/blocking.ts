/** Which findings of a job block it: a hint for a selection, the server decides. */
import type { VulnerabilityView, VulnResultView } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';

export function blockingOf(result: VulnResultView): VulnerabilityView[] {
  const { blocking, severities, vulnerabilities = [] } = result;
  const bySeverity = vulnerabilities.filter(({ packages }) =>
    packages.some(({ severity }) => severities.includes(severity)),
  );
  if (!blocking) return bySeverity;
  const counted = SEVERITIES.reduce((sum, each) => sum + blocking[each], 0);
  // Fewer count where the policy leaves out what has no fix.
  if (counted === bySeverity.length) return bySeverity;
  return bySeverity.filter(({ packages }) =>
    packages.some((each) => severities.includes(each.severity) && each.fixed_version),
  );
}

/** The one package that has the vulnerability; null for several. */
export function onlyPackage({ packages }: Pick<VulnerabilityView, 'packages'>): string | null {
  const names = new Set(packages.map(({ name }) => name));
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}
