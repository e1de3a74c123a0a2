/**
 * A registry with configurable faults: forwards to a real one, counts, throttles and misbehaves.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { slowness } from '@portcullis/testing';

export interface Seen {
  method: string;
  path: string;
  range: string | null;
  authorization: string | null;
  traceparent: string | null;
  status: number;
  /** Bytes of response bodies. */
  bytes: number;
  at: number;
}

export interface Behaviour {
  /** Bytes per second of each body, in both directions. */
  rate?: number;
  delayMs?: number;
  /** Responds in place of the registry, or null. */
  answer?: (
    seen: Seen,
  ) => { status: number; headers?: Record<string, string>; body?: string } | null;
  /** Closes the connection before the request is forwarded, or before its response is. */
  lose?: (seen: Seen) => 'request' | 'answer' | null;
  alter?: (seen: Seen, headers: IncomingHttpHeaders) => void;
  /** Bytes of this body after which the connection is cut, once they were read; null: never. */
  cutAfter?: (seen: Seen) => number | null;
  /** Ignores `Range`: every download starts at the beginning. */
  withoutRanges?: boolean;
  /** Whether the bytes of this body are altered. */
  falsify?: (seen: Seen) => boolean;
}

export interface FaultyRegistry extends AsyncDisposable {
  host: string;
  url: string;
  seen: Seen[];
  /** May be changed at any time. */
  behaviour: Behaviour;
  /** Downloads of blobs, without proofs of possession. */
  blobGets(): Seen[];
}

/** Bytes of blobs in both directions, including proofs of possession. */
export function blobTraffic(seen: Seen[]): Seen[] {
  return seen.filter(
    ({ method, path, status }) =>
      (path.includes('/blobs/sha256:') && method === 'GET') ||
      (path.includes('/blobs/uploads/') &&
        (method === 'PATCH' || method === 'PUT') &&
        status < 300),
  );
}

const CUT_AFTER_MS = 500;

export async function startProxy(
  upstream: string,
  behaviour: Behaviour = {},
): Promise<FaultyRegistry> {
  const seen: Seen[] = [];
  const proxy = { seen, behaviour };
  // Never closes idle connections first: a request could meet that and be repeated.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    void forward(upstream, proxy, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(proxy, {
    host,
    url: `http://${host}`,
    blobGets: () =>
      seen.filter(
        ({ method, path, range }) =>
          method === 'GET' && path.includes('/blobs/sha256:') && !/-\d+$/.test(range ?? ''),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function forward(
  upstream: string,
  proxy: Pick<FaultyRegistry, 'seen' | 'behaviour'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = incoming;
  const { range = null, authorization = null } = headers;
  const traceparent = String(headers.traceparent ?? '') || null;
  const asked = { method, path, range, authorization, traceparent };
  const seen: Seen = { ...asked, status: 0, bytes: 0, at: Date.now() };
  proxy.seen.push(seen);
  if (proxy.behaviour.delayMs) await slowness(proxy.behaviour.delayMs);
  const instead = proxy.behaviour.answer?.(seen);
  if (instead) {
    incoming.resume();
    seen.status = instead.status;
    outgoing.writeHead(instead.status, instead.headers).end(instead.body);
    return;
  }
  const lost = proxy.behaviour.lose?.(seen) ?? null;
  if (lost === 'request') return void outgoing.destroy();
  const { hostname, port } = new URL(upstream);
  const { range: _, ...rangeless } = headers;
  const passed = proxy.behaviour.withoutRanges ? rangeless : headers;
  const outbound = request({
    hostname,
    port,
    path,
    method,
    headers: { ...passed, host: `${hostname}:${port}` },
  });
  incoming.once('close', () => incoming.complete || outbound.destroy());
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    outbound.once('response', resolve).on('error', reject),
  );
  void upload(proxy.behaviour, incoming, outbound).catch(() => outbound.destroy());
  const given = await answered;
  if (lost === 'answer') {
    given.destroy();
    return void outgoing.destroy();
  }
  proxy.behaviour.alter?.(seen, given.headers);
  await download(proxy, seen, given, outgoing);
}

async function upload(
  { rate }: Behaviour,
  from: IncomingMessage,
  to: NodeJS.WritableStream,
): Promise<void> {
  for await (const chunk of from) {
    to.write(chunk);
    if (rate) await slowness((chunk.length / rate) * 1000);
  }
  to.end();
}

async function download(
  { behaviour }: Pick<FaultyRegistry, 'behaviour'>,
  seen: Seen,
  answer: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  seen.status = answer.statusCode ?? 0;
  outgoing.writeHead(seen.status, answer.headers);
  const cut = behaviour.cutAfter?.(seen) ?? null;
  const falsify = behaviour.falsify?.(seen) ?? false;
  for await (const whole of answer) {
    for (let from = 0; from < whole.length; from += 16_384) {
      const chunk: Buffer = whole.subarray(from, from + 16_384);
      if (outgoing.destroyed) return void answer.destroy();
      if (cut !== null && seen.bytes + chunk.length > cut) {
        answer.destroy();
        outgoing.write(chunk.subarray(0, cut - seen.bytes));
        // Data that was not read before the cut is lost to the other side.
        await slowness(CUT_AFTER_MS);
        return void outgoing.destroy();
      }
      seen.bytes += chunk.length;
      if (falsify) chunk[0] = (chunk[0] ?? 0) ^ 1;
      outgoing.write(chunk);
      if (behaviour.rate) await slowness((chunk.length / behaviour.rate) * 1000);
    }
  }
  outgoing.end();
}
