/**
 * Cache invalidation for all processes: accounts, groups, folders and tokens (`access`), stored
 * settings and feeds (`settings`), policies and waivers (`gate`), and reports (`report`, with their
 * digests, so that a rescan of many images drops no others). A message says only that something
 * changed; readers ask the store.
 */
import { duplicateForBlocking, type Redis, withRedis } from '@portcullis/runtime';

const CHANGE_KINDS = ['access', 'settings', 'gate', 'report'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

const CHANNEL = 'portcullis:changes';
const CHECK_MS = 1_000;

/** Call after the write was committed. @throws unavailable `EVENTS_UNAVAILABLE` */
export async function publishChange(redis: Redis, kind: ChangeKind): Promise<void> {
  await withRedis('EVENTS_UNAVAILABLE', () => redis.publish(CHANNEL, kind));
}

const DIGESTS_PER_MESSAGE = 500;

/**
 * The newest report of these digests changed, or their newest scan failed. Call after the commit.
 * @throws unavailable `EVENTS_UNAVAILABLE`
 */
export async function publishReports(redis: Redis, digests: readonly string[]): Promise<void> {
  for (let at = 0; at < digests.length; at += DIGESTS_PER_MESSAGE) {
    const message = ['report', ...digests.slice(at, at + DIGESTS_PER_MESSAGE)].join(' ');
    await withRedis('EVENTS_UNAVAILABLE', () => redis.publish(CHANNEL, message));
  }
}

/** `digests` are those of `report`; null: any of them. */
export type OnChange = (kind: ChangeKind, digests: readonly string[] | null) => void;

export interface ChangeWatch {
  /** While false, messages may be lost and nothing in memory may be used. */
  live(): boolean;
  close(): void;
}

/** `onChange` is also called for every kind whenever messages may have been lost. */
export function watchChanges(redis: Redis, onChange: OnChange): ChangeWatch {
  const connection = duplicateForBlocking(redis);
  let live = false;
  let answered = true;

  function lost(): void {
    live = false;
    for (const kind of CHANGE_KINDS) onChange(kind, null);
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
    const [first, ...digests] = text.split(' ');
    const kind = CHANGE_KINDS.find((known) => known === first);
    if (kind) onChange(kind, kind === 'report' && digests.length > 0 ? digests : null);
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
