/**
 * `node push-load.ts ORIGIN REPOSITORY IMAGES SECONDS < TOKENS`: clients that each push small
 * images on one connection, as containerd does: HEAD, POST and PUT for each blob, then PUT of the
 * manifest with a tag. Ends after that many images or seconds, and prints JSON.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

const [origin = '', repository = '', ...rest] = process.argv.slice(2);
const [images = 2_000, seconds = 60] = rest.map(Number);
/** One for each client, a JSON list. */
const tokens: string[] = JSON.parse(await text(process.stdin));
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const LAYER_BYTES = 4_096;

interface Reply {
  status: number;
  body: string;
  location: string;
}

function clientOf(nth: number, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const authorization = `Basic ${Buffer.from(`bench-${nth}:${token}`).toString('base64')}`;

  function ask(method: string, at: string, type?: string, body?: Buffer): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const headers = {
      authorization,
      ...(method !== 'HEAD' && { 'content-length': body?.length ?? 0 }),
      ...(type !== undefined && { 'content-type': type }),
    };
    request(new URL(at, origin), { method, headers, agent }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const { location = '', warning = '' } = answered;
      const read = (body: string) => resolve({ status, location, body: body || String(warning) });
      text(response).then(read, reject);
    })
      .once('error', reject)
      .end(body);
    return promise;
  }

  async function expected(status: number, ...given: Parameters<typeof ask>): Promise<Reply> {
    const reply = await ask(...given);
    if (reply.status !== status)
      throw new Error(`${given[0]} was answered with ${reply.status} ${reply.body}`);
    return reply;
  }

  async function pushBlob(bytes: Buffer): Promise<string> {
    const digest = digestOf(bytes);
    await expected(404, 'HEAD', `/v2/${repository}/blobs/${digest}`);
    const { location } = await expected(202, 'POST', `/v2/${repository}/blobs/uploads/`);
    const end = new URL(location, origin);
    end.searchParams.set('digest', digest);
    await expected(201, 'PUT', end.href, 'application/octet-stream', bytes);
    return digest;
  }

  return {
    async push(tag: string): Promise<void> {
      const layer = randomBytes(LAYER_BYTES);
      const config = configOf(layer);
      for (const blob of [layer, config]) await pushBlob(blob);
      const manifest = manifestOf(config, layer);
      await expected(201, 'PUT', `/v2/${repository}/manifests/${tag}`, MANIFEST, manifest);
    },
    close: () => agent.destroy(),
  };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function configOf(layer: Buffer): Buffer {
  const rootfs = { type: 'layers', diff_ids: [digestOf(layer)] };
  return Buffer.from(JSON.stringify({ os: 'linux', architecture: 'amd64', config: {}, rootfs }));
}

function manifestOf(config: Buffer, layer: Buffer): Buffer {
  const part = (mediaType: string, bytes: Buffer) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const parts = { config: part(CONFIG, config), layers: [part(LAYER, layer)] };
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, ...parts }));
}

const started = performance.now();
const until = started + seconds * 1000;
const taken: number[] = [];
const errors: string[] = [];
let next = 0;

async function lane(token: string, nth: number): Promise<void> {
  const { push, close } = clientOf(nth, token);
  while (next < images && performance.now() < until) {
    const begun = performance.now();
    try {
      await push(`push-${next++}`);
      taken.push(performance.now() - begun);
    } catch (error) {
      errors.push(String(error));
    }
  }
  close();
}

await Promise.all(tokens.map(lane));
const sorted = taken.toSorted((one, other) => one - other);
const result = {
  pushed: taken.length,
  errors: errors.length,
  someErrors: [...new Set(errors)].slice(0, 5),
  seconds: (performance.now() - started) / 1000,
  p50: sorted[sorted.length >> 1] ?? 0,
  longest: sorted.at(-1) ?? 0,
};
process.stdout.write(JSON.stringify(result));
