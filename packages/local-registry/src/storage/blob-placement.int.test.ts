/** Blobs linked into the storage of a real registry, and what it says of them. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { acquireRegistry } from '@portcullis/embedded';
import { contentOf, type Descriptor } from '@portcullis/oci';
import {
  createTransport,
  openRepository,
  type Repository,
  type Transport,
} from '@portcullis/oci/remote';
import {
  blobOf,
  pushImage,
  scratchImage,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
  testCacheDir,
  testEnv,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../garbage/collect-garbage.ts';
import { type BlobPlacement, openBlobPlacement } from './blob-placement.ts';
import { linkedTarget, livePlacement } from './linked-target.ts';
import { blobPath } from './storage.ts';
import { storingTarget } from './storing-target.ts';

let registry: TestRegistry;
let dir: TemporaryDir;
let placement: BlobPlacement;
let transport: Transport;

beforeAll(async () => {
  transport = createTransport();
  registry = await startRegistry();
  dir = await temporaryDir();
  // Its first push creates the registry's directories.
  await pushImage(registry.url, 'team/first', '1', await scratchImage());
  placement = (await openBlobPlacement(registry.storageDir)) as BlobPlacement;
});
afterAll(async () => {
  transport?.close();
  await registry?.stop();
  await dir?.remove();
});

const open = (repository: string): Repository =>
  openRepository({ host: new URL(registry.url).host, tls: 'off', transport, repository });

async function blobFile(within = dir.path, bytes = randomBytes(5_000)) {
  const { descriptor } = blobOf('application/octet-stream', bytes);
  const file = path.join(within, descriptor.digest.slice(7));
  await writeFile(file, bytes);
  return { bytes, file, descriptor };
}

const fetched = (repository: string, { digest }: Descriptor) =>
  fetch(new URL(`/v2/${repository}/blobs/${digest}`, registry.url));

describe('a placed blob', () => {
  it('is served by the registry, and is one file with its source', async () => {
    const { bytes, file, descriptor } = await blobFile();
    expect(await placement.has('team/app', descriptor)).toBe(false);
    expect(await placement.place('team/app', descriptor, file)).toBe(true);
    const reply = await fetched('team/app', descriptor);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
    const [ours, theirs] = await Promise.all([
      stat(file),
      stat(blobPath(registry.storageDir, descriptor.digest)),
    ]);
    expect(theirs.ino).toBe(ours.ino);
    expect(await placement.has('team/app', descriptor)).toBe(true);
  });

  it('replaces a file that a crash or a full disk has cut short', async () => {
    const { bytes, file, descriptor } = await blobFile();
    const stored = blobPath(registry.storageDir, descriptor.digest);
    await mkdir(path.dirname(stored), { recursive: true });
    await writeFile(stored, bytes.subarray(1));
    expect(await placement.place('team/app', descriptor, file)).toBe(true);
    const reply = await fetched('team/app', descriptor);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
  });

  it('belongs to its repository only', async () => {
    const { file, descriptor } = await blobFile();
    await placement.place('team/app', descriptor, file);
    expect(await placement.has('team/other', descriptor)).toBe(false);
    expect((await fetched('team/other', descriptor)).status).toBe(404);
  });

  it('is placed again by any number of writers', async () => {
    const { file, descriptor } = await blobFile();
    const all = Array.from({ length: 20 }, (_, nth) =>
      placement.place(`team/app-${nth % 3}`, descriptor, file),
    );
    expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
    for (const nth of [0, 1, 2])
      expect((await fetched(`team/app-${nth}`, descriptor)).status).toBe(200);
  });

  it('is garbage until a manifest names it, and its source stays', async () => {
    const { file, descriptor } = await blobFile();
    await placement.place('team/app', descriptor, file);
    await using workDir = await temporaryDir();
    await collectGarbage({
      storageDir: registry.storageDir,
      program: await acquireRegistry({ cacheDir: testCacheDir, env: testEnv }),
      workDir: workDir.path,
      kept: new Set(),
      dryRun: false,
      signal: new AbortController().signal,
      line() {},
    });
    await expect(stat(blobPath(registry.storageDir, descriptor.digest))).rejects.toThrow('ENOENT');
    expect((await stat(file)).size).toBe(descriptor.size);
    expect(await placement.has('team/app', descriptor)).toBe(false);
    expect(await placement.place('team/app', descriptor, file)).toBe(true);
    expect((await fetched('team/app', descriptor)).status).toBe(200);
  });
});

describe('is left to an upload', () => {
  it.each<[string, (file: string) => Promise<string>]>([
    ['a file that does not exist', async (file) => `${file}.absent`],
    [
      'a file of another size',
      async (file) => {
        await writeFile(file, 'short');
        return file;
      },
    ],
    [
      'a symbolic link',
      async (file) => {
        await symlink(file, `${file}.link`);
        return `${file}.link`;
      },
    ],
  ])('%s', async (_, spoil) => {
    const { file, descriptor } = await blobFile();
    expect(await placement.place('team/app', descriptor, await spoil(file))).toBe(false);
    expect((await fetched('team/app', descriptor)).status).toBe(404);
  });

  it('a file of another file system', async () => {
    const elsewhere = path.join('/dev/shm', `portcullis-test-${process.pid}`);
    await mkdir(elsewhere);
    try {
      const { file, descriptor } = await blobFile(elsewhere);
      expect(await placement.place('team/app', descriptor, file)).toBe(false);
      expect((await fetched('team/app', descriptor)).status).toBe(404);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('everything, where the storage is of another user id', async () => {
    await using foreign = await temporaryDir();
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(foreign.path, 12_345, 12_345);
    expect(await openBlobPlacement(isRoot ? foreign.path : '/')).toBeNull();
  });
});

describe('a linked target', () => {
  const bytesOf = (bytes: Uint8Array) => async () => contentOf(bytes);

  it('links what is here, and uploads what is not', async () => {
    const [here, away] = [await blobFile(), await blobFile()];
    await rm(away.file);
    const target = linkedTarget(open('team/linked'), {
      repository: 'team/linked',
      placement: livePlacement(placement, () => {}),
      fileOf: (digest) => path.join(dir.path, digest.slice(7)),
    });
    const ways: string[] = [];
    for (const { descriptor, bytes } of [here, away]) {
      expect(await target.exists(descriptor)).toBe(false);
      await target.push(descriptor, bytesOf(bytes), { onBytes: (_, way) => void ways.push(way) });
      expect(await target.exists(descriptor)).toBe(true);
      expect((await fetched('team/linked', descriptor)).status).toBe(200);
    }
    expect(ways).toEqual(['reused', 'moved']);
  });

  it('uploads everything once the directory is not the storage of the registry', async () => {
    const { file, descriptor, bytes } = await blobFile();
    await using wrong = await temporaryDir();
    await mkdir(path.join(wrong.path, 'docker/registry/v2/repositories'), { recursive: true });
    let said = 0;
    const live = livePlacement((await openBlobPlacement(wrong.path)) as BlobPlacement, () => {
      said += 1;
    });
    const target = linkedTarget(open('team/wrong'), {
      repository: 'team/wrong',
      placement: live,
      fileOf: () => file,
    });
    await target.push(descriptor, bytesOf(bytes));
    expect((await fetched('team/wrong', descriptor)).status).toBe(200);
    expect([live.isOn(), said]).toEqual([false, 1]);
  });
});

describe('a storing target', () => {
  const bytesOf = (bytes: Uint8Array) => async () => contentOf(bytes);
  const drafts = () => readdir(path.join(registry.storageDir, 'portcullis-drafts'));

  /** A live placement that counts the uploads and mounts which reach the registry. */
  function storing(repository: string, within: BlobPlacement = placement) {
    const asked: string[] = [];
    const registry = open(repository);
    const counted = new Proxy(registry, {
      get(_, name: 'push' | 'mount' | 'exists') {
        if (name === 'push' || name === 'mount') asked.push(name);
        return registry[name].bind(registry);
      },
    });
    const live = livePlacement(within, () => asked.push('failed'));
    return { target: storingTarget(counted, { repository, placement: live }), asked };
  }

  it('writes blobs and mounts them, and the registry serves both', async () => {
    const { bytes, descriptor } = await blobFile();
    const [one, other] = [storing('team/stored'), storing('team/mounted')];
    let moved = 0;
    await one.target.push(descriptor, bytesOf(bytes), { onBytes: (count) => (moved += count) });
    expect(await other.target.mount(descriptor, 'team/stored')).toBe(true);
    for (const repository of ['team/stored', 'team/mounted']) {
      const reply = await fetched(repository, descriptor);
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes);
    }
    expect([moved, one.asked, other.asked]).toEqual([bytes.byteLength, [], []]);
  });

  it('leaves the mount of a blob that the other repository lacks to the registry', async () => {
    const { descriptor } = await blobFile();
    const { target, asked } = storing('team/mounted');
    expect(await target.mount(descriptor, 'team/nothing')).toBe(false);
    expect(asked).toEqual(['mount']);
  });

  it('stores nothing of content with another digest', async () => {
    const { descriptor } = await blobFile();
    const { target } = storing('team/stored');
    const wrong = target.push(descriptor, bytesOf(randomBytes(descriptor.size)));
    await expect(wrong).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
    expect((await fetched('team/stored', descriptor)).status).toBe(404);
    expect(await drafts()).toEqual([]);
  });

  it('uploads what the disk refuses to store', async () => {
    const { bytes, descriptor } = await blobFile();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
    const { target, asked } = storing('team/uploaded', {
      ...placement,
      write: (repository, blob) =>
        placement.write(repository, blob, async (file) => {
          await writeFile(file, bytes.subarray(0, 100));
          throw full;
        }),
    });
    await target.push(descriptor, bytesOf(bytes));
    expect((await fetched('team/uploaded', descriptor)).status).toBe(200);
    expect([asked, await drafts()]).toEqual([['push'], []]);
  });

  it('uploads everything once the directory is not the storage of the registry', async () => {
    await using wrong = await temporaryDir();
    await mkdir(path.join(wrong.path, 'docker/registry/v2/repositories'), { recursive: true });
    const elsewhere = (await openBlobPlacement(wrong.path)) as BlobPlacement;
    const { target, asked } = storing('team/elsewhere', elsewhere);
    for (const { bytes, descriptor } of [await blobFile(), await blobFile()]) {
      await target.push(descriptor, bytesOf(bytes));
      expect((await fetched('team/elsewhere', descriptor)).status).toBe(200);
    }
    expect(asked).toEqual(['failed', 'push', 'push']);
  });
});

it('a draft that a killed process left is removed after an hour, without a restart', async () => {
  const opened = (await openBlobPlacement(registry.storageDir)) as BlobPlacement;
  const left = path.join(registry.storageDir, 'portcullis-drafts', 'left');
  await writeFile(left, 'half of a blob');
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(left, yesterday, yesterday);
  const write = async () => {
    const { file, descriptor } = await blobFile();
    expect(await opened.write('team/drafts', descriptor, (draft) => copyFile(file, draft))).toBe(
      true,
    );
  };
  await write();
  expect(existsSync(left)).toBe(true);
  const now = performance.now() + 2 * 3_600_000;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  await write();
  clock.mockRestore();
  await expect.poll(() => existsSync(left)).toBe(false);
});

describe('a kill at any moment of a link, a write, a mount, an alias or an upload', () => {
  const KILLS = 8;
  const layers = (repository: string, algorithm: string) =>
    path.join(
      registry.storageDir,
      `docker/registry/v2/repositories/${repository}/_layers/${algorithm}`,
    );

  /** The contents of the links that the repository has; one whose file is missing has no blob. */
  async function linked(repository: string, algorithm: string): Promise<[string, string][]> {
    const found: [string, string][] = [];
    for (const name of await readdir(layers(repository, algorithm)).catch(() => [])) {
      const file = path.join(layers(repository, algorithm), name, 'link');
      const text = await readFile(file, 'utf8').catch(() => null);
      if (text !== null) found.push([name, text]);
    }
    return found;
  }

  async function killed(repository: string, files: string, afterMs: number): Promise<void> {
    const child = path.join(import.meta.dirname, 'placing-process.fixture.ts');
    const placing = fork(child, [registry.storageDir, repository, files], { execArgv: [] });
    await once(placing, 'message');
    setTimeout(() => placing.kill('SIGKILL'), afterMs);
    await once(placing, 'exit');
  }

  it('leaves no link without its blob, and the next try completes all', async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await using files = await temporaryDir();
      const repository = `team/killed-${kill}`;
      const blobs = await Promise.all(
        Array.from({ length: 120 }, () => blobFile(files.path, randomBytes(200))),
      );
      blobs.sort((a, b) => (a.file < b.file ? -1 : 1));
      for (const { descriptor, file } of blobs.filter((_, nth) => nth % 4 === 2))
        await placement.place('team/origin', descriptor, file);
      await killed(repository, files.path, kill * 9);
      for (const [name, text] of await linked(repository, 'sha256'))
        expect(text).toBe(`sha256:${name}`);
      for (const algorithm of ['sha256', 'sha512'])
        for (const [, text] of await linked(repository, algorithm))
          expect((await stat(blobPath(registry.storageDir, text as `sha256:${string}`))).size).toBe(
            200,
          );
      for (const { descriptor, file } of blobs) {
        expect(await placement.place(repository, descriptor, file)).toBe(true);
        expect(await placement.has(repository, descriptor)).toBe(true);
      }
    }
  });
});
