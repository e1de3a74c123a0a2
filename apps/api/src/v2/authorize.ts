/** Which right each operation of `/v2` needs, and whether the caller has it now (decisions.md § Access, rules 1 and 3). */
import { ALLOWED, type Decision, decide, type Principal } from '@portcullis/domain';
import type { RepositoryRoute, V2Request, V2Route } from './parse.ts';
import { type Query, without } from './query.ts';

export type V2Action = 'pull' | 'push' | 'delete';

const READ_KINDS: ReadonlySet<RepositoryRoute['kind']> = new Set(['manifest', 'blob', 'tags', 'referrers']);

/** The status of an upload is read with `push`: only who writes there has one. */
export function actionOf(method: string, kind: RepositoryRoute['kind']): V2Action {
  if (!READ_KINDS.has(kind)) return 'push';
  if (method === 'GET' || method === 'HEAD') return 'pull';
  return method === 'DELETE' ? 'delete' : 'push';
}

export interface Asker {
  principal: Principal;
  /** Every folder there is. */
  folders: ReadonlySet<string>;
}

/** Deleting is writing (spec 2.3, can_push). */
export function mayDo({ principal, folders }: Asker, action: V2Action, repository: string): Decision {
  return decide(principal, { action: action === 'pull' ? 'pull' : 'push', repository, folders });
}

/** `HEAD` is granted to who may push, too: every client asks what is there already before it pushes. */
export function mayAsk(asker: Asker, method: string, { kind, repository }: RepositoryRoute): Decision {
  const decision = mayDo(asker, actionOf(method, kind), repository);
  if (decision.allowed || method !== 'HEAD') return decision;
  return mayDo(asker, 'push', repository).allowed ? ALLOWED : decision;
}

/** The scope a client must ask a token for, as `docker` understands it. */
export function scopeOf({ method, route, query }: V2Request): string | undefined {
  if (route.kind === 'catalog') return 'registry:catalog:*';
  if (!isRepositoryRoute(route)) return undefined;
  const action = actionOf(method, route.kind);
  const own = `repository:${route.repository}:${action === 'push' ? 'pull,push' : action}`;
  const from = query.get('from');
  return from === undefined ? own : `${own} repository:${from}:pull`;
}

export function isRepositoryRoute(route: V2Route): route is RepositoryRoute {
  return 'repository' in route;
}

/**
 * A mount reads another repository. Without the right to, or without `from`, what is left is a plain upload: the
 * answer (202) doesn't tell whether the blob is there.
 */
export function mountable(asker: Asker, query: Query): Query {
  const from = query.get('from');
  const allowed = query.has('mount') && from !== undefined && mayDo(asker, 'pull', from).allowed;
  return allowed ? query : without(query, 'mount', 'from');
}
