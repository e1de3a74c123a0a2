import type { NewUser, User as Shown, UserChange } from '@portcullis/contract';
import type { User } from '@portcullis/store';
import type { UserEdit, UserOrder } from './service.ts';

export function presentUser(user: User): Shown {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    is_admin: user.isAdmin,
    can_bypass_vuln_block: user.canBypassVulnBlock,
    disabled: user.disabled,
    must_change_password: user.mustChangePassword,
    auth_source: user.authSource,
    created_at: user.createdAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  };
}

export function userOrder(body: NewUser): UserOrder {
  return {
    username: body.username,
    password: body.password,
    email: body.email,
    isAdmin: body.is_admin,
    canBypassVulnBlock: body.can_bypass_vuln_block,
    disabled: body.disabled,
    mustChangePassword: body.must_change_password,
  };
}

export function userEdit(body: UserChange): UserEdit {
  return {
    password: body.password,
    email: body.email,
    isAdmin: body.is_admin,
    canBypassVulnBlock: body.can_bypass_vuln_block,
    disabled: body.disabled,
    mustChangePassword: body.must_change_password,
  };
}
