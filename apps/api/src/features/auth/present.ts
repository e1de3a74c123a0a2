import type { CurrentUser } from '@portcullis/contract';
import type { LoggedInAccount } from './service.ts';

export function presentAccount({ user, groups, capabilities }: LoggedInAccount): CurrentUser {
  return {
    id: user.id,
    username: user.username,
    is_admin: user.isAdmin,
    can_bypass_vuln_block: user.canBypassVulnBlock,
    auth_source: user.authSource,
    must_change_password: user.mustChangePassword,
    groups: groups.map(({ id, name }) => ({ id, name })),
    capabilities: {
      pull_external: capabilities.pullExternal,
      push_external: capabilities.pushExternal,
      push: capabilities.push,
    },
  };
}
