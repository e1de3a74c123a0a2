/**
 * Clients of `/v2` that push, tag, mount, delete and pull at random, for tests of garbage
 * collection. Each has separate tags, so that the last write of a tag is known.
 */
import {
  buildArtifact,
  buildIndex,
  fetchManifest,
  pushBlob,
  pushImage,
  randomImage,
  type TestImage,
} from '@portcullis/testing';

const credentials = { username: 'ann', password: 'pass-of-ann' };

interface Tagged {
  repository: string;
  tag: string;
  image: TestImage;
}

interface WriterOptions {
  url: string;
  name: string;
  /** Untagged images of the first repository, whose blobs are nowhere else. */
  loose: readonly TestImage[];
  repositories: readonly [string, ...string[]];
  seed: number;
}

export interface RandomWriter {
  /** The last state of each tag; null for a deleted one. */
  tags: Map<string, Tagged | null>;
  /** The writes that were done, by kind. */
  done: Map<string, number>;
  stop(): Promise<void>;
}

/** Begins to write. What a write may not do, such as a refusal, ends in an error of `stop`. */
export function startRandomWriter(options: WriterOptions): RandomWriter {
  const { url, name, loose, repositories } = options;
  const random = randomFrom(options.seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const tags = new Map<string, Tagged | null>();
  const done = new Map<string, number>();
  let stopped = false;
  let count = 0;

  const push = (repository: string, tag: string | null, image: TestImage) =>
    pushImage(url, repository, tag, image, { credentials });
  const someTagged = () => [...tags.values()].filter((each) => each !== null);
  const [first] = repositories;

  async function tagged(repository: string, image: TestImage): Promise<void> {
    const tag = `${name}-${count % 20}`;
    await push(repository, tag, image);
    tags.set(`${repository}:${tag}`, { repository, tag, image });
  }

  /** Tags what the registry has by its manifest alone, as a client that knows it does. */
  async function retag(image: TestImage): Promise<void> {
    const tag = `${name}-${count % 20}`;
    const found = await fetchManifest(url, first, image.digest, { credentials });
    if (found.status !== 200) return tagged(first, image);
    const put = await fetch(new URL(`/v2/${first}/manifests/${tag}`, url), {
      method: 'PUT',
      headers: { ...AUTHORIZED, 'content-type': image.descriptor.mediaType },
      body: Buffer.from(image.bytes),
    });
    // It was deleted since.
    if (put.status !== 201) return tagged(first, image);
    tags.set(`${first}:${tag}`, { repository: first, tag, image });
  }

  async function mount(image: TestImage): Promise<void> {
    const repository = pick(repositories);
    for (const blob of image.blobs) {
      const mounting = `/v2/${repository}/blobs/uploads/?mount=${blob.descriptor.digest}&from=${first}`;
      const answer = await fetch(new URL(mounting, url), { method: 'POST', headers: AUTHORIZED });
      if (answer.status !== 201) await pushBlob(url, repository, blob, { credentials });
    }
    await tagged(repository, image);
  }

  async function remove(): Promise<void> {
    const each = pick(someTagged());
    if (!each) return;
    const at = `/v2/${each.repository}/manifests/${each.tag}`;
    await fetch(new URL(at, url), { method: 'DELETE', headers: AUTHORIZED });
    tags.set(`${each.repository}:${each.tag}`, null);
  }

  async function sign(): Promise<void> {
    const each = pick(someTagged());
    if (!each) return;
    const layers = [{ mediaType: 'application/x.s', bytes: Buffer.from(`signed ${random()}`) }];
    const signature = buildArtifact({ subject: each.image.descriptor, layers });
    await push(each.repository, null, signature);
  }

  const kinds: Record<string, () => Promise<void>> = {
    push: async () =>
      tagged(pick(repositories), await randomImage({ layers: 2, bytes: 200, compression: 'gzip' })),
    again: () => tagged(first, pick(loose)),
    retag: () => retag(pick(loose)),
    index: () => tagged(first, buildIndex([pick(loose), pick(loose)])),
    mount: () => mount(pick(loose)),
    remove,
    sign,
    read: async () => {
      const each = pick(someTagged());
      if (each) await assertWhole(url, each);
    },
  };

  async function run(): Promise<void> {
    for (; !stopped; count++) {
      const kind = pick(Object.keys(kinds));
      await kinds[kind]?.();
      done.set(kind, (done.get(kind) ?? 0) + 1);
    }
  }
  const running = run();
  running.catch(() => {});
  return {
    tags,
    done,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

const AUTHORIZED = {
  authorization: `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`,
};

/** @throws where the tag is another image, or a part of it is missing */
export async function assertWhole(url: string, { repository, tag, image }: Tagged): Promise<void> {
  const manifest = await fetchManifest(url, repository, tag, { credentials });
  if (!manifest.body.equals(image.bytes))
    throw new Error(`${repository}:${tag} has status ${manifest.status}, or is another image`);
  await assertParts(url, repository, image);
}

async function assertParts(url: string, repository: string, image: TestImage): Promise<void> {
  for (const { descriptor } of image.blobs) {
    const at = `/v2/${repository}/blobs/${descriptor.digest}`;
    const answer = await fetch(new URL(at, url), { headers: AUTHORIZED });
    if (answer.status !== 200 || (await answer.arrayBuffer()).byteLength !== descriptor.size)
      throw new Error(`${at} has status ${answer.status}`);
  }
  for (const child of image.children) {
    const found = await fetchManifest(url, repository, child.digest, { credentials });
    if (found.status !== 200)
      throw new Error(`${repository}@${child.digest} has status ${found.status}`);
    await assertParts(url, repository, child);
  }
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
