/**
 * `node http-load.ts ours|undici WORK ORIGIN CA`: one kind of work over one HTTP client; prints its
 * wall time and CPU seconds as JSON. Of undici only the client is measured: no address guard, no
 * stall detection, no retries.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createTransport } from '@portcullis/oci/remote';

interface Client {
  get(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Reads a small response. */
  read(path: string): Promise<Uint8Array>;
  put(size: number, body: () => AsyncIterable<Uint8Array>): Promise<unknown>;
}

const MIB = 1 << 20;
const BLOB_MIB = 256;
const [who, work = '', origin = '', ca = ''] = process.argv.slice(2);

function ours(): Client {
  const transport = createTransport();
  const to = (path: string) => ({ url: new URL(path, origin), trust: { verify: true, ca } });
  return {
    get: async (path) => (await transport.open(to(path))).chunks,
    read: async (path) => (await transport.send({ ...to(path), method: 'GET' })).body,
    put: (size, body) =>
      transport.send({ ...to('/0'), method: 'PUT', body: { size, open: async () => body() } }),
  };
}

/** Loaded here only, because its loading takes memory and time. */
async function undici(): Promise<Client> {
  const { Pool } = await import('undici');
  const pool = new Pool(origin, { allowH2: false, connect: { ca } });
  return {
    get: async (path) => (await pool.request({ method: 'GET', path })).body,
    read: async (path) => (await pool.request({ method: 'GET', path })).body.bytes(),
    async put(size, body) {
      const headers = { 'content-length': String(size) };
      // It takes every async iterable; its types name streams only.
      const stream = body() as unknown as Readable;
      const answer = await pool.request({ method: 'PUT', path: '/0', headers, body: stream });
      await answer.body.dump();
    },
  };
}

const WORKS: Record<string, (client: Client) => Promise<unknown>> = {
  get: (client) => blob(client, () => undefined),
  async verify(client) {
    const hash = createHash('sha256');
    await blob(client, (chunk) => hash.update(chunk));
    hash.digest();
  },
  put: (client) => client.put(BLOB_MIB * MIB, uploaded),
  async small(client) {
    let left = 2000;
    const lane = async () => {
      while (left-- > 0) await client.read('/tags');
    };
    await Promise.all(Array.from({ length: 6 }, lane));
  },
};

async function blob(client: Client, onChunk: (chunk: Uint8Array) => unknown): Promise<void> {
  let size = 0;
  for await (const chunk of await client.get(`/${BLOB_MIB}`)) {
    size += chunk.byteLength;
    onChunk(chunk);
  }
  if (size !== BLOB_MIB * MIB) throw new Error(`${size} bytes`);
}

async function* uploaded(): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(MIB / 4, 'y');
  for (let n = 0; n < BLOB_MIB * 4; n += 1) yield piece;
}

const client = who === 'undici' ? await undici() : ours();
const run = WORKS[work];
if (!run) throw new Error(`unknown work: ${work}`);
await run(client);
const [cpu, started] = [process.cpuUsage(), performance.now()];
await run(client);
const { user, system } = process.cpuUsage(cpu);
const seconds = (performance.now() - started) / 1000;
const mib = process.memoryUsage.rss() / MIB;
process.stdout.write(JSON.stringify({ cpu: (user + system) / 1e6, seconds, mib }), () =>
  process.exit(),
);
