/** Shows folders, their gates and their figures as the API does. */
import { FolderMirror, TagRetention, toWire } from '@portcullis/contract';
import { DEFAULT_POLICY_NAME } from '@portcullis/domain';
import type { Folder } from '@portcullis/store';
import type { FolderOverview, FolderSummary } from './overviews.ts';
import type { Explained, NamedGate } from './service.ts';

export function presentFolder(folder: Folder) {
  return { ...folder, permissions: folder.grants };
}

export function presentNamedGate({ folder, policyName }: NamedGate) {
  return { ...folder, folder: folder.name, policyName: policyName ?? DEFAULT_POLICY_NAME };
}

/** What the audit event of a change compares. */
export function presentSettings({ folder, policyName }: NamedGate) {
  return {
    description: folder.description,
    policy_id: folder.policyId,
    push_gate: folder.pushGate,
    pull_gate: folder.pullGate,
    immutable_tags: [...folder.immutableTags],
    quota_bytes: folder.quotaBytes,
    statements: folder.statements,
    retention: folder.retention && toWire(TagRetention, folder.retention),
    mirror: folder.mirror && toWire(FolderMirror, folder.mirror),
    policy_name: policyName ?? DEFAULT_POLICY_NAME,
  };
}

export function presentExplanation({ isAdmin, folder, refusal, because }: Explained) {
  return {
    folder,
    allowed: refusal === null,
    isAdmin,
    code: refusal?.code ?? null,
    reason: refusal?.reason ?? null,
    because: because.map(({ group, ...grant }) => ({ group, grant })),
  };
}

export function presentSummary({ figures, rights }: FolderSummary) {
  return { ...figures, rights };
}

export function presentOverview({ folder, figures, policyName, ...rest }: FolderOverview) {
  const isMirror = folder.mirror !== null;
  const named = { policyName: policyName ?? DEFAULT_POLICY_NAME, isMirror };
  return { ...folder, ...figures, ...rest, ...named };
}
