/**
 * The pods of a cluster, from its API server, by the service account of the agent's pod. The token
 * is read for each request: the kubelet replaces it before it ends.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { forbidden, unauthenticated, unavailable } from '@portcullis/errors';
import { createTransport } from '@portcullis/oci/remote';
import { type PodChange, type PodPage, readEvent, readPage, statusMessage } from './pod-events.ts';

export interface KubePods {
  /** @param next of the page before. Null: the place of the next page is not known any more */
  page(next: string | null): Promise<PodPage | null>;
  /** What changed since a version. It ends after minutes, or with `expired`. */
  watch(version: string): AsyncGenerator<PodChange | { kind: 'opened' }>;
}

export interface KubePodsOptions {
  /** `host:port` of the API server. */
  server: string;
  /** The folder with the files `token` and `ca.crt` of the service account. */
  account: string;
  /** Names of the registry. */
  hosts: ReadonlySet<string>;
  /** `User-Agent`. */
  name: string;
}

/**
 * A page is in memory as a whole, and pods have up to 100 KB: clusters with thousands of pods are
 * why agents are killed for their memory (keda #7728).
 */
const PAGE = 250;
const MOST_PAGE_BYTES = 64 * 1024 * 1024;
/** More than etcd stores of an object. */
const MOST_EVENT_CHARACTERS = 8 * 1024 * 1024;
/** The API server ends the watch then, and the next one has the token of that time. */
const WATCH_SECONDS = 300;
/** Bookmarks come about every minute: a connection that is silent for longer is dead. */
const SILENCE_MS = 150_000;
/** Pods of jobs that ended are often the most, and are not sent. */
const ALIVE = 'status.phase!=Succeeded,status.phase!=Failed';

export function createKubePods({ server, account, hosts, name }: KubePodsOptions): KubePods {
  const transport = createTransport({
    client: { userAgent: name },
    retries: 0,
    redirectOrigins: [],
    stall: { idleMs: SILENCE_MS, bytesPerSecond: 0, windowMs: SILENCE_MS },
  });

  async function callOf(query: Record<string, string>) {
    const [token, ca] = await Promise.all([
      readFile(path.join(account, 'token'), 'utf8'),
      readFile(path.join(account, 'ca.crt'), 'utf8'),
    ]);
    const url = new URL(`https://${server}/api/v1/pods`);
    url.search = new URLSearchParams({ fieldSelector: ALIVE, ...query }).toString();
    const headers = { accept: 'application/json' };
    return { url, headers, authorization: `Bearer ${token.trim()}`, trust: { verify: true, ca } };
  }

  return {
    async page(next) {
      // Without a resourceVersion: with 0 the API server would send all pods at once.
      const call = await callOf({ limit: String(PAGE), ...(next !== null && { continue: next }) });
      const answer = await transport.send({ ...call, method: 'GET', maxBytes: MOST_PAGE_BYTES });
      if (answer.status === 410) return null;
      const text = answer.body.toString('utf8');
      if (answer.status !== 200) throw faultOf(answer.status, text);
      const page = readPage(text, hosts);
      if (page === null) throw unreadable('the answer is no list of pods');
      return page;
    },

    async *watch(version) {
      const { status, chunks, cancel } = await transport.open(
        await callOf({
          ...{ watch: '1', allowWatchBookmarks: 'true', resourceVersion: version },
          timeoutSeconds: String(WATCH_SECONDS),
        }),
      );
      if (status === 410) {
        cancel();
        yield { kind: 'expired' };
        return;
      }
      if (status !== 200) throw faultOf(status, await textOf(chunks));
      yield { kind: 'opened' };
      for await (const line of linesOf(chunks)) {
        const event = readEvent(line, hosts);
        if (event?.kind === 'fault') throw unreadable(event.message);
        if (event) yield event;
      }
    },
  };
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_EVENT_CHARACTERS) throw unreadable('an event has no end');
    yield* lines.filter((line) => line !== '');
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

function faultOf(status: number, text: string) {
  const said = statusMessage(text) ?? `the API server answered ${status}`;
  if (status === 401)
    return unauthenticated(
      'PODS_UNAUTHENTICATED',
      `the API server does not accept the token of the service account: ${said}`,
    );
  if (status === 403)
    return forbidden(
      'PODS_FORBIDDEN',
      `the service account may not read pods: ${said}; bind it to a cluster role with get, list and watch of pods`,
    );
  return unreadable(said);
}

function unreadable(message: string) {
  return unavailable('PODS_UNREADABLE', message);
}
