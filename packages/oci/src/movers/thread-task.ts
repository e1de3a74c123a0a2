/** One blob on a mover thread: the same download and writer as on the main thread. */
import type { MoveOptions, OpenContent } from '../copy/content.ts';
import { contentWithErrorSide, withErrorSide } from '../copy/error-side.ts';
import { writeBlob } from '../layout/blob-writer.ts';
import { withinClaim } from '../layout/space.ts';
import { storageError } from '../layout/storage-error.ts';
import { createAuthorizer } from '../remote/auth/authorizer.ts';

import { download } from '../remote/download.ts';
import type { ConnectionPool } from '../remote/http/connection-pool.ts';
import type { ProxyEnv } from '../remote/http/proxy.ts';
import { assembleTransport, type Transport } from '../remote/http/transport.ts';
import { openStream } from '../remote/open-stream.ts';
import type { BlobTask } from './messages.ts';
import type { ThreadCalls } from './thread-calls.ts';

/** Interval of the byte counts that the main thread gets. */
const COUNT_MS = 50;

export async function runTask(
  task: BlobTask,
  calls: ThreadCalls,
  { connections, signal }: { connections: ConnectionPool; signal: AbortSignal },
): Promise<void> {
  const counts = countBytes(task.id, calls);
  try {
    const open = opening(task, calls, { transport: transportOf(task, calls, connections), signal });
    const claim = {
      wrote: (bytes: number) => calls.ask(task.id, { name: 'wrote', bytes }),
      release: () => undefined,
    };
    await writeBlob(task.file, task.descriptor, task.claimed ? withinClaim(open, claim) : open, {
      signal,
      onBytes: counts.add,
      follower: followerOf(task, calls),
    });
  } catch (error) {
    throw storageError(error);
  } finally {
    counts.stop();
  }
}

function followerOf({ id, sealKey: key }: BlobTask, calls: ThreadCalls): MoveOptions['follower'] {
  return key && { key, written: (seal) => calls.tell({ kind: 'written', id, seal }) };
}

function opening(
  { id, descriptor, path, scopes, base, trust }: BlobTask,
  calls: ThreadCalls,
  { transport, signal }: { transport: Transport; signal: AbortSignal },
): OpenContent {
  const url = new URL(base);
  const authorizer = createAuthorizer(url, {
    current: () => calls.ask(id, { name: 'current' }),
    renewed: (_, challenge, refused) => calls.ask(id, { name: 'renewed', challenge, refused }),
  });
  const client: Parameters<typeof download>[0]['client'] = {
    open: (request) => openStream(transport, { base: url, trust, authorizer }, request),
  };
  const { retry } = transport;
  return async (options) => {
    const blob = { client, path, scopes, descriptor, retry };
    const content = await withErrorSide('source', () => download(blob, { ...options, signal }));
    calls.tell({ kind: 'opened', id });
    return contentWithErrorSide('source', content, signal);
  };
}

/** The guard, the proxy and the limit of connections are those of the main thread. */
function transportOf(
  { id, settings }: BlobTask,
  calls: ThreadCalls,
  connections: ConnectionPool,
): Transport {
  let proxy: ProxyEnv | undefined;
  return assembleTransport(
    {
      settings,
      lookup: {
        resolve: (host, port) => calls.ask(id, { name: 'resolve', host, port }),
        check: (host, port) => calls.ask(id, { name: 'check', host, port }),
      },
      proxy: () => proxy,
      limiter: {
        async enter(_, host) {
          const entered = await calls.ask(id, { name: 'enter', host });
          proxy = entered.proxy;
          return () => calls.tell({ kind: 'left', id, slot: entered.slot });
        },
      },
      log: { debug: (facts, message) => calls.tell({ kind: 'log', id, facts, message }) },
    },
    connections,
  );
}

function countBytes(id: number, { tell }: ThreadCalls) {
  const counts = { moved: 0, reused: 0, mounted: 0 };
  const send = () => {
    const { moved, reused } = counts;
    if (moved + reused > 0) tell({ kind: 'bytes', id, moved, reused });
    counts.moved = 0;
    counts.reused = 0;
  };
  const timer = setInterval(send, COUNT_MS);
  return {
    add(bytes: number, method: keyof typeof counts) {
      counts[method] += bytes;
    },
    stop() {
      clearInterval(timer);
      send();
    },
  };
}
