/** What a worker of the product does with a registry: staging, and transfers in both directions. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StagingJob } from '@portcullis/domain';
import type { SavedRegistry } from '@portcullis/store';
import { fetchManifest, randomImage } from '@portcullis/testing';
import {
  type Ends,
  fromSaved,
  orderOf,
  submitTransfer,
  tagged,
  toLocal,
  toSaved,
  transferOver,
} from '../worker/batch.ts';
import type { Harness } from '../worker/harness.ts';
import { type FaultyRegistry, type Seen, startProxy } from '../worker/proxy.ts';
import { opener, put, putSigned, type SignedImage, signatureTag, signedImage } from './content.ts';

const IMAGES = 10;

/** A registry that the product knows; each of its requests is seen on its way. */
interface Site {
  harness: Harness;
  proxy: FaultyRegistry;
  saved: SavedRegistry;
}

/** Returns what is particular about the registry, if anything; throws where something fails. */
type Job = (site: Site) => Promise<string>;

const JOBS: Readonly<Record<string, Job>> = {
  async staging({ harness, proxy, saved }) {
    const image = await randomImage({ layers: 2, bytes: 20_000 });
    await put(opener(proxy.url)('staging/app'), image, '1');
    const { id: registryId, host } = saved;
    const source = { kind: 'registry', registryId, host } as const;
    const job = await harness.submit({ host, source, image: 'staging/app', tag: '1' });
    const staged = await harness.settled(job.id);
    assert.equal(staged.status, 'staged', faultOf(staged));
    const push = { kind: 'registry', registryId, host, repository: 'staging/back' } as const;
    await harness.push(job.id, push);
    const pushed = await harness.settled(job.id);
    assert.equal(pushed.status, 'pushed', faultOf(pushed));
    const { body } = await fetchManifest(proxy.url, 'staging/back', 'latest');
    assert.ok(body.equals(image.bytes), 'what was pushed has other bytes');
    return '';
  },

  async 'transfer from it'({ harness, proxy, saved }) {
    const { host, url } = harness.registry;
    return transferTwice(
      { harness, proxy, from: proxy.url, to: url },
      { from: fromSaved(saved), to: toLocal(host) },
    );
  },

  async 'transfer to it'({ harness, proxy, saved }) {
    const { host, url } = harness.registry;
    return transferTwice(
      { harness, proxy, from: url, to: proxy.url },
      { from: { registryId: '__local__', host }, to: toSaved(saved) },
    );
  },
};
export const JOB_NAMES: readonly string[] = Object.keys(JOBS);

/** @returns what each job found, or the fault that it ended with */
export async function runJobs(
  harness: Harness,
  url: string,
  attempt: (name: string, work: () => Promise<string>) => Promise<void>,
): Promise<void> {
  await using proxy = await startProxy(url, { alter: (_, headers) => keepHere(headers) });
  const name = `interop-${randomUUID()}`;
  const saved = await harness.store.registries.insert({ name, host: proxy.host, useTls: false });
  for (const [title, job] of Object.entries(JOBS))
    await attempt(title, () => job({ harness, proxy, saved }));
}

/** An absolute address of an upload would lead past the proxy. */
function keepHere(headers: { location?: string | undefined }): void {
  const { location } = headers;
  const url = location === undefined ? null : URL.parse(location);
  if (url) headers.location = `${url.pathname}${url.search}`;
}

interface Way {
  harness: Harness;
  proxy: FaultyRegistry;
  from: string;
  to: string;
}

async function transferTwice({ harness, proxy, from, to }: Way, ends: Ends): Promise<string> {
  const prefix = `moved/${randomUUID().slice(0, 8)}`;
  const names = Array.from({ length: IMAGES }, (_, n) => `${prefix}-${n}`);
  const images = new Map<string, SignedImage>();
  for (const name of names) {
    const image = await signedImage();
    images.set(name, image);
    await putSigned(opener(from)(name), image);
  }
  const order = orderOf(
    ends,
    names.map((name) => tagged(name)),
  );
  await pushedAll(harness, order);
  for (const [name, image] of images) await assertSigned(to, name, image);
  const before = proxy.seen.length;
  await pushedAll(harness, order);
  const moved = proxy.seen.slice(before).filter(movesContent);
  assert.equal(moved.length, 0, `the second transfer sent ${summary(moved)}`);
  return '';
}

async function pushedAll(harness: Harness, order: Parameters<typeof submitTransfer>[1]) {
  const id = await submitTransfer(harness, order);
  const { counts } = await transferOver(harness, id);
  if (counts.pushed === IMAGES) return;
  const { items } = await harness.store.jobs.list({ transferId: id, limit: IMAGES });
  throw new Error(`${counts.pushed ?? 0} of ${IMAGES}: ${items.map(faultOf).find(Boolean)}`);
}

async function assertSigned(url: string, name: string, signed: SignedImage): Promise<void> {
  const { image, signature, referrer } = signed;
  const repository = opener(url)(name);
  assert.equal((await repository.resolve('1')).digest, image.digest);
  const tag = signatureTag(image);
  assert.equal((await repository.resolve(tag)).digest, signature.digest, 'the signature is lost');
  const found = (await repository.referrers(image.digest)).map(({ digest }) => digest);
  assert.deepEqual(found, [referrer.digest], 'the referrer is lost');
}

/**
 * Any write, and each download of a blob: reads of manifests show that nothing is missing. A mount
 * of a blob from its own repository asks whether it is there.
 */
function movesContent({ method, path, status }: Seen): boolean {
  if (method === 'GET') return path.includes('/blobs/sha256:');
  const asks = method === 'POST' && path.includes('mount=') && status === 201;
  return method !== 'HEAD' && !asks;
}

/** `20 PUT manifests, 10 POST blobs` */
function summary(requests: Seen[]): string {
  const kinds = requests.map(({ method, path }) => {
    const [, kind = path] = /\/(manifests|blobs|referrers)\//.exec(path) ?? [];
    return `${method} ${kind}`;
  });
  const counted = Map.groupBy(kinds, (kind) => kind);
  return [...counted].map(([kind, all]) => `${all.length} ${kind}`).join(', ');
}

function faultOf({ error, pushes }: Pick<StagingJob, 'error' | 'pushes'>): string {
  const fault = error ?? pushes.find((push) => push.error !== null)?.error;
  return fault ? `${fault.code}: ${fault.message}` : '';
}
