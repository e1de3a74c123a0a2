/** Shows policies, their versions and previews as the API does. */
import {
  changedValues,
  type PolicyDetail,
  type Policy as PolicyView,
  policyDifference,
  policyTerms,
} from '@portcullis/contract';
import type { PolicyVersion } from '@portcullis/store';
import type { Preview } from './preview.ts';
import type { SavedPolicy, ShownPolicy } from './service.ts';

export function presentPolicy({ policy, stored, use }: ShownPolicy): PolicyView {
  return {
    id: policy.id,
    name: policy.name,
    version: stored?.version ?? null,
    ...policyTerms(policy),
    source: stored ? 'stored' : 'scan_settings',
    used_by: { folders: use.folders, registries: use.registries },
    created_at: stored?.createdAt.toISOString() ?? null,
    updated_at: stored?.updatedAt.toISOString() ?? null,
  };
}

export function presentDetail(shown: ShownPolicy, versions: PolicyVersion[]): PolicyDetail {
  return {
    ...presentPolicy(shown),
    versions: versions.map(({ version, rules, savedBy, savedAt }) => ({
      version,
      ...policyTerms(rules),
      saved_by: savedBy,
      saved_at: savedAt.toISOString(),
    })),
  };
}

/** For the audit event of a change. */
export function presentDifference({ before, after }: SavedPolicy) {
  return {
    ...changedValues(
      { name: before.name, version: before.version },
      { name: after.name, version: after.version },
    ),
    ...policyDifference(policyTerms(before.rules), policyTerms(after.rules)),
  };
}

export function presentPreview({ blocked, allowed, folders, items, ...rest }: Preview) {
  return {
    ...rest,
    newlyBlocked: blocked,
    newlyAllowed: allowed,
    folders: folders.map((each) => ({
      folder: each.folder,
      newlyBlocked: each.blocked,
      newlyAllowed: each.allowed,
    })),
    items: items.map(({ findings, ...image }) => ({
      ...image,
      findings: findings.map(({ id, ...found }) => ({ ...found, vulnerability: id })),
    })),
  };
}
