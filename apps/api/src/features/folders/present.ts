import type {
  AccessExplanation,
  FolderChange,
  FolderGate as FolderGateView,
  FolderPermission,
  Folder as FolderView,
} from '@portcullis/contract';
import { DEFAULT_POLICY_NAME } from '@portcullis/domain';
import type {
  Folder,
  FolderGate,
  FolderSettings,
  Grant,
  GrantFlags,
  GroupFolderGrant,
} from '@portcullis/store';
import { presentRule, ruleFrom } from './retention/present.ts';
import type { Explained, NamedGate } from './service.ts';

export function presentFolder(folder: Folder): FolderView {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    ...presentGate(folder),
    retention: presentRule(folder.retention),
    created_at: folder.createdAt.toISOString(),
    permissions: folder.grants.map(presentPermission),
  };
}

export function presentGate({ policyId, pushGate, pullGate, ...gate }: FolderGate) {
  const gates = { push_gate: pushGate, pull_gate: pullGate };
  const { immutableTags, quotaBytes } = gate;
  return {
    ...{ policy_id: policyId, ...gates, immutable_tags: [...immutableTags] },
    quota_bytes: quotaBytes,
  };
}

export function presentNamedGate({ folder, policyName }: NamedGate): FolderGateView {
  return {
    folder: folder.name,
    ...presentGate(folder),
    policy_name: policyName ?? DEFAULT_POLICY_NAME,
  };
}

/** What the audit event of a change compares. */
export function presentSettings({ folder, policyName }: NamedGate) {
  return {
    description: folder.description,
    ...presentGate(folder),
    retention: presentRule(folder.retention),
    policy_name: policyName ?? DEFAULT_POLICY_NAME,
  };
}

/** An absent field remains absent. */
export function folderSettings({
  description,
  policy_id,
  push_gate,
  pull_gate,
  immutable_tags,
  quota_bytes,
  retention,
}: FolderChange): FolderSettings {
  return {
    ...(description !== undefined && { description }),
    ...(policy_id !== undefined && { policyId: policy_id }),
    ...(push_gate !== undefined && { pushGate: push_gate }),
    ...(pull_gate !== undefined && { pullGate: pull_gate }),
    ...(immutable_tags !== undefined && { immutableTags: immutable_tags }),
    ...(quota_bytes !== undefined && { quotaBytes: quota_bytes }),
    ...(retention !== undefined && { retention: retention && ruleFrom(retention) }),
  };
}

export function presentPermission({ groupId, groupName, ...flags }: Grant): FolderPermission {
  return { group_id: groupId, group_name: groupName, ...presentFlags(flags) };
}

export function presentExplanation({
  isAdmin,
  folder,
  refusal,
  because,
}: Explained): AccessExplanation {
  return {
    folder,
    allowed: refusal === null,
    is_admin: isAdmin,
    code: refusal?.code ?? null,
    reason: refusal?.reason ?? null,
    because: because.map(presentReason),
  };
}

function presentReason({
  group,
  folder,
  ...flags
}: GroupFolderGrant): AccessExplanation['because'][number] {
  return { group, grant: { folder, ...presentFlags(flags) } };
}

export function presentFlags({ canPull, canPush, canPullExternal, canPushExternal }: GrantFlags) {
  return {
    can_pull: canPull,
    can_push: canPush,
    can_pull_external: canPullExternal,
    can_push_external: canPushExternal,
  };
}
