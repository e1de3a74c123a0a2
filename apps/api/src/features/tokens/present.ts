/** Tokens and their scopes in the form of the REST API. */
import type { PersonalToken as Shown, TokenScope as ShownScope } from '@portcullis/contract';
import { type TokenScope, UNLIMITED_SCOPES, unlimitedScopeName } from '@portcullis/domain';
import type { PersonalToken } from '@portcullis/store';

export function presentToken(token: PersonalToken): Shown {
  return {
    id: token.id,
    name: token.name,
    scope: presentScope(token.scope),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    hint: token.hint,
  };
}

export function presentScope(scope: TokenScope): ShownScope {
  const { folders, actions, api, registry } = scope;
  return (
    unlimitedScopeName(scope) ?? {
      folders: folders === 'all' ? folders : [...folders],
      actions: actions === 'all' ? actions : [...actions],
      api,
      registry,
    }
  );
}

export function scopeOrder(scope: ShownScope): TokenScope {
  return typeof scope === 'string' ? UNLIMITED_SCOPES[scope] : scope;
}
