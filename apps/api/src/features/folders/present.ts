import type {
  AccessExplanation,
  FolderPermission,
  Folder as FolderView,
} from '@portcullis/contract';
import type { Folder, Grant, GrantFlags, GroupFolderGrant } from '@portcullis/store';
import type { Explained } from './service.ts';

export function presentFolder({ id, name, description, createdAt, grants }: Folder): FolderView {
  return {
    id,
    name,
    description,
    created_at: createdAt.toISOString(),
    permissions: grants.map(presentPermission),
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

function presentFlags({ canPull, canPush, canPullExternal, canPushExternal }: GrantFlags) {
  return {
    can_pull: canPull,
    can_push: canPush,
    can_pull_external: canPullExternal,
    can_push_external: canPushExternal,
  };
}
