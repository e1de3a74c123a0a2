/**
 * What each route of `/v2` is (distribution specification § Endpoints): its path, the right that
 * each method needs, whether it changes an image, and the content that it relies on. A new
 * operation is a line of the table.
 */
import type { Digest } from '@portcullis/oci';
import type { V2Action } from './access/scope.ts';
import type { Query } from './query.ts';

export type V2Route =
  | { kind: 'base' }
  | { kind: 'catalog' }
  | { kind: 'token' }
  | { kind: 'manifest'; repository: string; reference: string }
  | { kind: 'blob'; repository: string; digest: Digest }
  | { kind: 'upload-start'; repository: string }
  | { kind: 'upload'; repository: string; uuid: string }
  | { kind: 'tags'; repository: string }
  | { kind: 'referrers'; repository: string; digest: Digest };

export type RepositoryRoute = Extract<V2Route, { repository: string }>;
export type V2Kind = V2Route['kind'];

export interface V2Request {
  method: string;
  route: V2Route;
  query: Query;
}

export type RouteOf<Kind extends V2Kind> = Extract<V2Route, { kind: Kind }>;

export interface V2Operation {
  right: V2Action;
  /** The event of the request is recorded. */
  isRecorded?: true;
  /** It stores or deletes a manifest or a blob; its event is committed before. */
  isChange?: true;
  /** It completes an upload. */
  isEnd?: true;
  /**
   * The content that the client relies on after a successful reply, which garbage collection has to
   * keep: it skips the upload of a blob that is reported as present.
   */
  relied?: 'reference' | 'digest' | 'mount';
}

/** Each account may ask for what concerns no repository. */
const OPEN: V2Operation = { right: 'pull' };

const OPERATIONS: Record<V2Kind, Readonly<Record<string, V2Operation>>> = {
  base: { GET: OPEN, HEAD: OPEN },
  catalog: { GET: OPEN },
  token: { GET: OPEN },
  manifest: {
    GET: { right: 'pull', isRecorded: true },
    HEAD: { right: 'pull', relied: 'reference' },
    PUT: { right: 'push', isRecorded: true, isChange: true, relied: 'reference' },
    DELETE: { right: 'delete', isRecorded: true, isChange: true },
  },
  blob: {
    GET: { right: 'pull' },
    HEAD: { right: 'pull', relied: 'digest' },
    DELETE: { right: 'delete', isRecorded: true, isChange: true },
  },
  'upload-start': { POST: { right: 'push', relied: 'mount' } },
  upload: {
    // Reading the status of an upload needs the same right as writing it.
    GET: { right: 'push' },
    PATCH: { right: 'push' },
    PUT: { right: 'push', isEnd: true, relied: 'digest' },
    DELETE: { right: 'push' },
  },
  tags: { GET: { right: 'pull' } },
  referrers: { GET: { right: 'pull' } },
};

/** @returns undefined where the specification has no such operation */
export function findOperation(method: string, kind: V2Kind): V2Operation | undefined {
  const operations = OPERATIONS[kind];
  return Object.hasOwn(operations, method) ? operations[method] : undefined;
}

/** The operation of a parsed request. */
export function operationOf(method: string, { kind }: Pick<RepositoryRoute, 'kind'>): V2Operation {
  const operation = findOperation(method, kind);
  if (!operation) throw new Error(`${method} of ${kind} was parsed, but is no operation`);
  return operation;
}

/** The tag or digest that a request relies on; null for none. */
export function reliedOn(method: string, route: RepositoryRoute, query: Query): string | null {
  switch (operationOf(method, route).relied) {
    case 'reference':
      return route.kind === 'manifest' ? route.reference : null;
    case 'digest':
      return route.kind === 'blob' ? route.digest : (query.get('digest') ?? null);
    case 'mount':
      return query.get('mount') ?? query.get('digest') ?? null;
    default:
      return null;
  }
}

/** The canonical path of the route. */
export function pathOf(route: V2Route): string {
  switch (route.kind) {
    case 'base':
      return '/v2/';
    case 'catalog':
      return '/v2/_catalog';
    case 'token':
      return '/v2/token';
    case 'manifest':
      return `/v2/${route.repository}/manifests/${route.reference}`;
    case 'blob':
      return `/v2/${route.repository}/blobs/${route.digest}`;
    case 'upload-start':
      return `/v2/${route.repository}/blobs/uploads/`;
    case 'upload':
      return `/v2/${route.repository}/blobs/uploads/${route.uuid}`;
    case 'tags':
      return `/v2/${route.repository}/tags/list`;
    case 'referrers':
      return `/v2/${route.repository}/referrers/${route.digest}`;
  }
}
