import {
  changedValues,
  type PolicyDetail,
  type PolicyPreview,
  type Policy as PolicyView,
  policyDifference,
  policyTerms,
} from '@portcullis/contract';
import type { PolicyVersion } from '@portcullis/store';
import type { ChangedImage, Preview } from './preview.ts';
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

export function presentPreview(preview: Preview): PolicyPreview {
  return {
    images: preview.images,
    judged: preview.judged,
    complete: preview.complete,
    unscanned: preview.unscanned,
    newly_blocked: preview.blocked,
    newly_allowed: preview.allowed,
    folders: preview.folders.map(({ folder, blocked, allowed }) => ({
      folder,
      newly_blocked: blocked,
      newly_allowed: allowed,
    })),
    items: preview.items.map(presentImage),
    missing_feeds: preview.missingFeeds,
  };
}

function presentImage({ findings, findingsTotal, ...image }: ChangedImage) {
  return {
    ...image,
    findings: findings.map((found) => ({
      vulnerability: found.id,
      severity: found.severity,
      package: found.package,
      installed_version: found.installedVersion,
      fixed_version: found.fixedVersion,
    })),
    findings_total: findingsTotal,
  };
}
