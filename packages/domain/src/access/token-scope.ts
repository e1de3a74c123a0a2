/**
 * Scopes of tokens: in which folders a token may be used, and for which actions. A token never
 * allows more than its account may do at that moment.
 */
export const TOKEN_ACTIONS = [
  /** Reads images of the folders, their tags and findings. */
  'pull',
  'push',
  /** Deletes tags and repositories, together with `push`. */
  'delete',
  'pull_external',
  'push_external',
  /** Requests transfers; each also needs the actions of its source and target. */
  'transfer',
  /** Requests scans of images that may be pulled. */
  'scan',
  /** Reads the account's own jobs and transfers with their reports. */
  'report',
  /** Requests waivers. */
  'waive',
  /** Passes the gate, where the account may. */
  'bypass',
] as const;
export type TokenAction = (typeof TOKEN_ACTIONS)[number];

export interface TokenScope {
  /** Names of folders; `all` includes folders that are created later. */
  folders: 'all' | readonly string[];
  /** `all` includes administration. */
  actions: 'all' | readonly TokenAction[];
  /** Whether the REST API accepts the token. */
  api: boolean;
  /** Whether `/v2` accepts the token. */
  registry: boolean;
}

/** The interfaces that accept tokens: the REST API, and the registry on `/v2`. */
export type TokenInterface = 'api' | 'registry';

/** The scopes `api` and `docker`: all that the account may do, on one interface. */
export const UNLIMITED_SCOPES = {
  api: { folders: 'all', actions: 'all', api: true, registry: false },
  docker: { folders: 'all', actions: 'all', api: false, registry: true },
} as const satisfies Record<string, TokenScope>;

/** The name of a scope that is not limited and is for one interface; null for all other scopes. */
export function unlimitedScopeName(scope: TokenScope): keyof typeof UNLIMITED_SCOPES | null {
  if (isLimited(scope) || scope.api === scope.registry) return null;
  return scope.api ? 'api' : 'docker';
}

/** Whether the token allows less than its account may do. */
export function isLimited({ folders, actions }: TokenScope): boolean {
  return folders !== 'all' || actions !== 'all';
}
