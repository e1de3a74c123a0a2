/** Checks the right that an operation of `/v2` needs, and the scopes of the token. */
import {
  ALLOWED,
  type Decision,
  decide,
  type KnownFolders,
  type Principal,
} from '@portcullis/domain';
import { type AppError, unauthenticated } from '@portcullis/errors';
import { type Query, without } from '../query.ts';
import { operationOf, type RepositoryRoute, type V2Request, type V2Route } from '../routes.ts';
import { CATALOG_SCOPE, covers, type Scope, type Scopes, type V2Action } from './scope.ts';

export interface AccessContext extends KnownFolders {
  principal: Principal;
}

/** Deleting needs `can_push`. */
export function mayDo(
  { principal, ...knownFolders }: AccessContext,
  action: V2Action,
  repository: string,
): Decision {
  if (action === 'delete')
    return decide(principal, { action: 'push', operation: action, repository, ...knownFolders });
  return decide(principal, { action, repository, ...knownFolders });
}

/** `HEAD` also needs only `push`: clients check what exists before they push. */
export function mayAsk(
  access: AccessContext,
  { method, query }: V2Request,
  route: RepositoryRoute,
): Decision {
  const { principal, ...knownFolders } = access;
  const { repository } = route;
  const decision = mayDo(access, operationOf(method, route).right, repository);
  if (decision.allowed) return decision;
  if (query.has('mount'))
    return decide(principal, { action: 'push', operation: 'mount', repository, ...knownFolders });
  return method === 'HEAD' && mayDo(access, 'push', repository).allowed ? ALLOWED : decision;
}

/** Whether the token's scopes cover the operation. */
export function isCovered(scopes: Scopes, method: string, route: RepositoryRoute): boolean {
  if (covers(scopes, operationOf(method, route).right, route.repository)) return true;
  return method === 'HEAD' && covers(scopes, 'push', route.repository);
}

/** The scope a client must ask a token for, as `docker` understands it. */
export function scopeOf({ method, route, query }: V2Request): string | undefined {
  if (route.kind === 'catalog') return CATALOG_SCOPE;
  if (!isRepositoryRoute(route)) return undefined;
  const action = operationOf(method, route).right;
  const own = `repository:${route.repository}:${action === 'push' ? 'pull,push' : action}`;
  const from = query.get('from');
  return from === undefined ? own : `${own} repository:${from}:pull`;
}

export const SCOPE_INSUFFICIENT = 'SCOPE_INSUFFICIENT';

/** The reply's challenge carries the scope, so that clients fetch a token for it and retry. */
export function scopeInsufficient(v2Request: V2Request): AppError {
  return unauthenticated(
    SCOPE_INSUFFICIENT,
    `the token does not cover the scope ${scopeOf(v2Request) ?? ''}`,
  );
}

export function isRepositoryRoute(route: V2Route): route is RepositoryRoute {
  return 'repository' in route;
}

/**
 * A mount reads another repository. Without the right, a token for it, or `from`, it becomes a
 * plain upload: the reply (202) does not reveal whether the blob exists.
 */
export function mountable(access: AccessContext, scopes: Scopes, query: Query): Query {
  const from = query.get('from');
  const allowed =
    query.has('mount') &&
    from !== undefined &&
    covers(scopes, 'pull', from) &&
    mayDo(access, 'pull', from).allowed;
  return allowed ? query : without(query, 'mount', 'from');
}

/**
 * The intersection of requested and allowed scopes. Every account may list the catalog, which
 * contains what it may pull.
 */
export function grantedOf(access: AccessContext, scopes: readonly Scope[]): Scope[] {
  return scopes
    .map((scope) =>
      scope.type === 'registry' ? scope : { ...scope, actions: allowedOf(access, scope) },
    )
    .filter(({ actions }) => actions.length > 0);
}

function allowedOf(
  access: AccessContext,
  { name, actions }: Extract<Scope, { type: 'repository' }>,
): V2Action[] {
  return actions.filter((action) => mayDo(access, action, name).allowed);
}
