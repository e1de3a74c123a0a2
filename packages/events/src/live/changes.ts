/**
 * Cache invalidation for all processes: accounts, groups, folders and tokens (`access`), stored
 * settings (`settings`), and what standings depend on (`gate`): policies, waivers, feeds, reports.
 * A message says only that something changed; readers ask the store.
 */
import { duplicateForBlocking, type Redis, withRedis } from '@portcullis/runtime';

const CHANGE_KINDS = ['access', 'settings', 'gate'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const CHANNEL = 'portcullis:changes';
const CHECK_MS = 1_000;

/** Call after the write was committed. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function publishChange(redis: Redis, kind: ChangeKind): Promise<void> {
  await withRedis('EVENTS_UNAVAILABLE', () => redis.publish(CHANNEL, kind));
}

export interface ChangeWatch {
  /** While false, messages may be lost and nothing in memory may be used. */
  live(): boolean;
  close(): void;
}

/** `onChange` is also called for every kind whenever messages may have been lost. */
export function watchChanges(redis: Redis, onChange: (kind: ChangeKind) => void): ChangeWatch {
  const connection = duplicateForBlocking(redis);
  let live = false;
  let answered = true;

  function lost(): void {
    live = false;
    for (const kind of CHANGE_KINDS) onChange(kind);
  }

  function subscribe(): void {
    connection
      .subscribe(CHANNEL)
      .then(() => {
        lost();
        live = true;
        answered = true;
      })
      .catch(() => {});
  }

  connection.on('ready', subscribe);
  connection.on('close', lost);
  connection.on('message', (_channel: string, text: string) => {
    const kind = CHANGE_KINDS.find((known) => known === text);
    if (kind) onChange(kind);
  });

  // A dead connection looks alive until a ping fails.
  const check = setInterval(() => {
    if (!live) return;
    if (!answered) return connection.disconnect(true);
    answered = false;
    connection.ping().then(
      () => {
        answered = true;
      },
      () => {},
    );
  }, CHECK_MS);
  check.unref();

  return {
    live: () => live,
    close() {
      clearInterval(check);
      connection.disconnect();
    },
  };
}
