/** Tokens and their scopes in the form of the REST API. */
import type { TokenScope as ShownScope } from '@portcullis/contract';
import { type TokenScope, UNLIMITED_SCOPES, unlimitedScopeName } from '@portcullis/domain';
import type { PersonalToken } from '@portcullis/store';

export function presentToken(token: PersonalToken) {
  return { ...token, scope: presentScope(token.scope) };
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
