/**
 * The store with change notifications: each write that may alter rights is announced to all
 * processes.
 */
import { type ChangeKind, publishChange } from '@portcullis/events';
import type { Logger, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

/**
 * Methods that alter no rights: reads, and creating what nothing refers to yet. All others announce
 * a change, so that a new method does, too.
 */
const QUIET: {
  [K in
    | 'users'
    | 'sessions'
    | 'tokens'
    | 'robots'
    | 'identityTrusts'
    | 'groups'
    | 'folders']: readonly (keyof Store[K])[];
} = {
  users: ['find', 'get', 'names', 'findByUsername', 'list', 'findContacts', 'insert', 'loggedIn'],
  sessions: ['find', 'insert', 'removeExpired'],
  tokens: ['find', 'findByHash', 'list', 'insert', 'used', 'removeExpired'],
  robots: ['find', 'list', 'ownerOf', 'insert'],
  identityTrusts: ['find', 'list', 'ofIssuer', 'insert', 'used'],
  groups: ['find', 'get', 'list', 'listByNames', 'of', 'insertGroup'],
  folders: ['find', 'get', 'list', 'names', 'gates', 'grantsFor', 'grantsByGroup'],
};

export function announcing(store: Store, changed: () => Promise<void>): Store {
  return {
    ...store,
    users: announcingChanges(store.users, QUIET.users, changed),
    sessions: announcingChanges(store.sessions, QUIET.sessions, changed),
    tokens: announcingChanges(store.tokens, QUIET.tokens, changed),
    robots: announcingChanges(store.robots, QUIET.robots, changed),
    identityTrusts: announcingChanges(store.identityTrusts, QUIET.identityTrusts, changed),
    groups: announcingChanges(store.groups, QUIET.groups, changed),
    folders: announcingChanges(store.folders, QUIET.folders, changed),
  };
}

function announcingChanges<T extends object>(
  aggregate: T,
  quiet: readonly (keyof T)[],
  changed: () => Promise<void>,
): T {
  const silent = new Set<string | symbol | number>(quiet);
  return new Proxy(aggregate, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || silent.has(name)) return member;
      return async (...given: unknown[]) => {
        try {
          return await Reflect.apply(member, target, given);
        } finally {
          // Also after an error: a write may be committed although its answer was lost.
          await changed();
        }
      };
    },
  });
}

const TRY_AGAIN_MS = 1_000;
/** The longest that any process caches. */
const ANNOUNCEMENT_TTL_MS = 60_000;

/**
 * Notifies every process, this one first. An unavailable Redis fails no request: processes that
 * cannot reach it cache nothing, and the others are notified once it is back.
 */
export function createAnnouncer(ports: {
  redis: Redis;
  kind: ChangeKind;
  forget(): void;
  log: Pick<Logger, 'warn'>;
}): () => Promise<void> {
  async function tell(until: number): Promise<void> {
    try {
      await publishChange(ports.redis, ports.kind);
    } catch (error) {
      ports.log.warn({ err: error, kind: ports.kind }, 'a change could not be announced');
      if (Date.now() < until && ports.redis.status !== 'end') {
        setTimeout(() => void tell(until), TRY_AGAIN_MS).unref();
      }
    }
  }

  return async () => {
    ports.forget();
    await tell(Date.now() + ANNOUNCEMENT_TTL_MS);
  };
}
