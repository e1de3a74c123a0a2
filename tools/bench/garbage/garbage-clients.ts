/** The writer and the reader of `npm run bench garbage`, and what their requests took. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OCI_MANIFEST } from '@portcullis/oci';
import { digestOf, type StoredImageOfBench } from './garbage-store.ts';

const AGAIN_MS = 50;

export interface BenchClient {
  /** The milliseconds of each request since the last call, sorted. */
  taken(): number[];
  stop(): Promise<void>;
}

type Ask = (method: string, at: string, init?: RequestInit) => Promise<Response>;

/** Repeats a unit of work, and measures each request, with its retries while writes are refused. */
function repeat(url: string, work: (ask: Ask, n: number) => Promise<void>): BenchClient {
  const authorization = `Basic ${Buffer.from('bench:pass-of-bench').toString('base64')}`;
  let times: number[] = [];
  let stopped = false;
  async function answerOf(method: string, at: string, init: RequestInit): Promise<Response> {
    const headers = { authorization, ...init.headers };
    const answer = await fetch(new URL(at, url), { ...init, method, headers });
    if (answer.status !== 503) return answer;
    await answer.arrayBuffer();
    await sleep(AGAIN_MS);
    return answerOf(method, at, init);
  }
  const ask: Ask = async (method, at, init = {}) => {
    const began = performance.now();
    const answer = await answerOf(method, at, init);
    if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
    await answer.clone().arrayBuffer();
    times.push(performance.now() - began);
    return answer;
  };
  async function run(): Promise<void> {
    for (let n = 0; !stopped; n++) await work(ask, n);
  }
  const running = run();
  return {
    taken() {
      const taken = times.sort((one, other) => one - other);
      times = [];
      return taken;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Pushes one small image after another. */
export function startWriter(url: string): BenchClient {
  return repeat(url, async (ask, n) => {
    const base = `/v2/team/pushed-${n % 10}`;
    const blobs = [`{"pushed":"${n} ${Math.random()}"}`, `layer ${n} ${Math.random()}`];
    for (const bytes of blobs) {
      const started = await ask('POST', `${base}/blobs/uploads/`);
      const location = new URL(started.headers.get('location') ?? '', url);
      location.searchParams.set('digest', digestOf(bytes));
      await ask('PUT', location.href, { body: bytes });
    }
    const [config, layer] = blobs.map((bytes) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar',
      digest: digestOf(bytes),
      size: bytes.length,
    }));
    const manifest = { schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers: [layer] };
    const headers = { 'content-type': OCI_MANIFEST };
    await ask('PUT', `${base}/manifests/v${n}`, { headers, body: JSON.stringify(manifest) });
  });
}

/** Pulls one small image of the store after another. */
export function startReader(url: string, images: readonly StoredImageOfBench[]): BenchClient {
  return repeat(url, async (ask, n) => {
    const image = images[(n * 7919) % images.length];
    if (!image) throw new Error('the store has no tagged image');
    const { repository, tag, bytes, config } = image;
    const headers = { accept: OCI_MANIFEST };
    const manifest = await ask('GET', `/v2/${repository}/manifests/${tag}`, { headers });
    if ((await manifest.text()) !== bytes) throw new Error(`${repository}:${tag} is another one`);
    await ask('GET', `/v2/${repository}/blobs/${digestOf(config)}`);
  });
}
