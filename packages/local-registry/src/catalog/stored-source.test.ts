/** What the index keeper reads from the registry's storage instead of asking the registry. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Digest, isDigest, OCI_CONFIG, OCI_MANIFEST, parseDigest } from '@portcullis/oci';
import { temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { blobPath, repositoryDir } from '../storage/storage.ts';
import { storedContent } from '../storage/stored-content.ts';
import { createIndexKeeper } from './index-keeper.ts';

const REPOSITORY = 'team/app';
const config = Buffer.from(JSON.stringify({ os: 'linux', architecture: 'arm64' }));
const manifest = manifestOf('');
const other = manifestOf('other');
const untyped = Buffer.from(String(manifest).replace(`"mediaType":"${OCI_MANIFEST}",`, ''));

let dir: Awaited<ReturnType<typeof temporaryDir>>;
beforeEach(async () => {
  dir = await temporaryDir();
});
afterEach(() => dir.remove());

function digestOf(bytes: Uint8Array): Digest {
  return parseDigest(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
}

function manifestOf(note: string): Buffer {
  const described = { mediaType: OCI_CONFIG, digest: digestOf(config), size: config.length };
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: OCI_MANIFEST,
      config: described,
      layers: [],
      annotations: { note },
    }),
  );
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const inRepository = (...place: string[]) => join(repositoryDir(dir.path, REPOSITORY), ...place);

async function storeConfig(bytes: Uint8Array): Promise<void> {
  const digest = digestOf(config);
  await put(inRepository('_layers', 'sha256', digest.slice('sha256:'.length), 'link'), digest);
  await put(blobPath(dir.path, digest), bytes);
}

async function storeTag(bytes: Uint8Array): Promise<void> {
  await put(inRepository('_manifests', 'tags', '1', 'current', 'link'), digestOf(bytes));
}

async function storeManifest(bytes: Uint8Array, named = digestOf(bytes)): Promise<void> {
  const encoded = named.slice('sha256:'.length);
  await put(inRepository('_manifests', 'revisions', 'sha256', encoded, 'link'), named);
  await put(blobPath(dir.path, named), bytes);
}

/** A keeper of the index, over a registry in which the tag leads to that manifest. */
function keeping(tagged: Buffer) {
  const asked: string[] = [];
  const recorded: { digest: string; platforms: string[] | undefined }[] = [];
  const missing = () => Promise.reject(new Error('not asked for'));
  const contents = new Map(
    [config, manifest, other, untyped].map((bytes) => [digestOf(bytes), bytes]),
  );
  const keeper = createIndexKeeper({
    storage: storedContent(dir.path),
    index: {
      tagNames: missing,
      digests: missing,
      known: async () => new Set(),
      async record({ digest, manifests }) {
        recorded.push({ digest, platforms: manifests.at(-1)?.platforms });
      },
      removeTag: missing,
      removeManifest: missing,
    },
    open: () => ({
      async resolve(reference) {
        asked.push(`resolve ${reference}`);
        const bytes = contents.get(parsedDigest(reference)) ?? tagged;
        return { mediaType: OCI_MANIFEST, digest: digestOf(bytes), size: bytes.length };
      },
      async fetch({ mediaType, digest }) {
        asked.push(`fetch ${mediaType}`);
        return {
          offset: 0,
          cancel: () => {},
          async *[Symbol.asyncIterator]() {
            yield contents.get(digest) ?? Buffer.alloc(0);
          },
        };
      },
      exists: missing,
      allTags: missing,
      remove: missing,
    }),
  });
  return { keeper, asked, recorded };
}

const parsedDigest = (reference: string) =>
  isDigest(reference) ? reference : digestOf(Buffer.of());

/** Records the push of the manifest with a tag. */
async function pushed(tagged: Buffer) {
  const { keeper, asked, recorded } = keeping(tagged);
  await keeper.stored({
    repository: REPOSITORY,
    tag: '1',
    digest: digestOf(manifest),
    mediaType: OCI_MANIFEST,
    bytes: manifest,
  });
  return { asked, recorded };
}

const ARM = ['linux/arm64'];

it('a push whose configuration and tag are in the storage asks the registry nothing', async () => {
  await storeConfig(config);
  await storeTag(manifest);
  expect(await pushed(manifest)).toEqual({
    asked: [],
    recorded: [{ digest: digestOf(manifest), platforms: ARM }],
  });
});

it('a tag that another push has moved meanwhile is recorded as the registry has it', async () => {
  await storeConfig(config);
  await storeTag(other);
  const { asked, recorded } = await pushed(other);
  expect(asked).toEqual(['resolve 1', `fetch ${OCI_MANIFEST}`]);
  expect(recorded.map(({ digest }) => digest)).toEqual([digestOf(manifest), digestOf(other)]);
});

it.each([
  ['missing', null],
  ['of another length than the manifest says', config.subarray(1)],
])('a configuration that is %s in the storage comes from the registry', async (_, bytes) => {
  if (bytes) await storeConfig(bytes);
  await storeTag(manifest);
  expect(await pushed(manifest)).toEqual({
    asked: [`fetch ${OCI_CONFIG}`],
    recorded: [{ digest: digestOf(manifest), platforms: ARM }],
  });
});

it('tags and manifests are in the storage once the registry has named a manifest that it has', async () => {
  await storeConfig(config);
  for (const bytes of [manifest, other]) await storeManifest(bytes);
  await storeTag(other);
  const { keeper, asked, recorded } = keeping(other);
  await keeper.look(REPOSITORY, digestOf(manifest));
  expect(asked).toEqual([`resolve ${digestOf(manifest)}`]);
  await keeper.look(REPOSITORY, digestOf(other));
  await keeper.look(REPOSITORY, '1');
  expect(asked).toHaveLength(1);
  expect(recorded).toEqual(
    [manifest, other, other].map((bytes) => ({ digest: digestOf(bytes), platforms: ARM })),
  );
});

it('the storage of another registry is not read for tags and manifests', async () => {
  await storeConfig(config);
  await storeTag(manifest);
  const { keeper, asked, recorded } = keeping(other);
  await keeper.look(REPOSITORY, digestOf(other));
  await storeManifest(manifest);
  await keeper.look(REPOSITORY, '1');
  expect(asked).toContain('resolve 1');
  expect(recorded.map(({ digest }) => digest)).toEqual([digestOf(other), digestOf(other)]);
});

it.each([
  ['whose bytes have another digest', Buffer.from(manifest).fill('x')],
  ['that does not state its media type', null],
])('a manifest %s comes from the registry', async (_, bytes) => {
  await storeConfig(config);
  await storeManifest(other);
  await storeManifest(bytes ?? untyped, digestOf(bytes ? manifest : untyped));
  const { keeper, asked, recorded } = keeping(other);
  await keeper.look(REPOSITORY, digestOf(other));
  const digest = digestOf(bytes ? manifest : untyped);
  await keeper.look(REPOSITORY, digest);
  expect(asked).toContain(`resolve ${digest}`);
  expect(recorded.at(-1)).toEqual({ digest, platforms: ARM });
});
