/** Scopes of tokens as columns: `api` and `docker` by name, all others as JSON. */
import {
  TOKEN_ACTIONS,
  type TokenScope,
  UNLIMITED_SCOPES,
  unlimitedScopeName,
} from '@portcullis/domain';
import type { Prisma } from '../database.ts';

export function toScope({ scope, limits }: { scope: string; limits: unknown }): TokenScope {
  if (scope === 'api' || scope === 'docker') return UNLIMITED_SCOPES[scope];
  return scopeOfLimits(limits);
}

/** What is missing or unreadable allows nothing. */
export function scopeOfLimits(limits: unknown): TokenScope {
  const held: object = typeof limits === 'object' && limits !== null ? limits : {};
  const value = (name: keyof TokenScope): unknown => Reflect.get(held, name);
  const actions = value('actions');
  return {
    folders: value('folders') === 'all' ? 'all' : texts(value('folders')),
    actions:
      actions === 'all' ? 'all' : TOKEN_ACTIONS.filter((action) => texts(actions).includes(action)),
    api: value('api') === true,
    registry: value('registry') === true,
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function limitsOf({ folders, actions, api, registry }: TokenScope): Prisma.InputJsonObject {
  return {
    folders: folders === 'all' ? folders : [...folders],
    actions: actions === 'all' ? actions : [...actions],
    api,
    registry,
  };
}

export function scopeColumns(scope: TokenScope) {
  const name = unlimitedScopeName(scope);
  return name === null ? { scope: 'limited', limits: limitsOf(scope) } : { scope: name };
}
