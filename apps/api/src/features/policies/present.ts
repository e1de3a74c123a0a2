/** Shows policies, their versions and previews as the API does. */
import { changedValues, policyDifference, policyTerms, withSignatures } from '@portcullis/contract';
import type { PolicyVersion } from '@portcullis/store';
import type { Preview } from './preview.ts';
import type { SavedPolicy, ShownPolicy } from './service.ts';

export function presentPolicy({ policy, stored, use }: ShownPolicy) {
  return {
    ...withSignatures(policy),
    version: stored?.version ?? null,
    source: stored ? ('stored' as const) : ('scan_settings' as const),
    usedBy: use,
    createdAt: stored?.createdAt ?? null,
    updatedAt: stored?.updatedAt ?? null,
  };
}

export function presentDetail(shown: ShownPolicy, versions: PolicyVersion[]) {
  return {
    ...presentPolicy(shown),
    versions: versions.map(({ rules, ...version }) => ({ ...version, ...withSignatures(rules) })),
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
