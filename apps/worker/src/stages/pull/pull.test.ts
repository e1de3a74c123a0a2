import { DEFAULT_POLICY, initialPullMode, type StagingJob } from '@portcullis/domain';
import { contentOf, copy, type Digest, type Target } from '@portcullis/oci';
import { createMemoryStore, type MemoryStore } from '@portcullis/oci/memory';
import { buildArtifact, buildImage, everything } from '@portcullis/testing';
import { expect, it } from 'vitest';
import type { StageAttempt } from '../../pipeline/attempt.ts';
import { pull } from './pull.ts';

interface Situation {
  scanEnabled?: boolean;
  pushesHere?: boolean;
  platforms?: StagingJob['platforms'];
  auto?: boolean;
  /** Whether a scan with the current database is stored. */
  hasStoredScan?: boolean;
  blobsWanted?: boolean;
  /** Whether the image has a signature, which travels with it. */
  signed?: boolean;
  /** Layers that the scan skips. */
  skipped?: 'the layer';
}

type ImagePart = 'layout' | 'manifests' | 'sparse' | 'handOver' | 'followed';

/**
 * Locations of the parts of an image after the pull, those that were read while they were
 * written, and what was expected to be scanned.
 */
async function placesIn(situation: Situation) {
  const { scanEnabled = false, pushesHere = true, platforms = 'all', auto = true } = situation;
  const image = await buildImage({ layers: [{ a: 'b' }] });
  const [config, layer] = image.blobs.map(({ descriptor }) => descriptor.digest);
  if (!config || !layer) throw new Error('an image has blobs');
  const signature = buildArtifact({
    layers: [{ mediaType: 'a/b', bytes: Buffer.from('signed') }],
    subject: image.descriptor,
  });
  const source = createMemoryStore();
  const images = situation.signed ? [image, signature] : [image];
  for (const { descriptor, bytes } of images.flatMap(everything))
    await source.push(descriptor, async (part) => contentOf(bytes, part));
  await source.tag(image.descriptor, '1');
  const stores: Record<ImagePart, MemoryStore> = {
    layout: createMemoryStore(),
    manifests: createMemoryStore(),
    sparse: createMemoryStore(),
    handOver: createMemoryStore(),
    followed: createMemoryStore(),
  };
  const { followed } = stores;
  const expected = new Set<Digest>();
  const onDisk = (store: MemoryStore): Target => ({
    ...store,
    async push(part, open, options) {
      await options?.onFile?.('a file');
      await store.push(part, open, options);
    },
  });
  const pullMode = situation.blobsWanted ? 'complete' : initialPullMode({ auto });
  const unpulled = { tag: '1', digest: null, sourceDigest: null };
  const job = { id: 'j', auto, pullMode, ...unpulled, platforms, withReferrers: true };
  const overrides = { vulnScanEnabled: null, vulnSeverities: null };
  const attempt: Pick<StageAttempt, 'job' | 'signal' | 'report' | 'amend'> = {
    job: () => ({ ...job, overrides }) as StagingJob,
    signal: new AbortController().signal,
    report() {},
    amend: async () => {},
  };
  await pull(attempt as StageAttempt, {
    source: async () => source,
    assertLeaves: async () => null,
    layout: async () => onDisk(stores.layout),
    async follow(part) {
      await followed.push(part, (range) => source.fetch(part, range));
      return null;
    },
    expectScan: ({ digest }) => void expected.add(digest),
    manifests: async () =>
      Object.assign(stores.manifests, { dir: '', fileOf: () => '', manifests: async () => [] }),
    sparse: async () => onDisk(stores.sparse),
    handOver: pushesHere ? () => stores.handOver : null,
    policy: async () => ({ ...DEFAULT_POLICY, scanEnabled }),
    hasStoredScan: async () => situation.hasStoredScan ?? false,
    sighted: async () => new Date(),
    readSignatures: async () => {},
    wasScanned: async () => false,
    complete: (_, options) => copy(source, image.digest, stores.layout, options),
    skippableLayers: async () => new Set(situation.skipped ? [layer] : []),
    admit: async () => {},
    concurrency: 2,
    maxManifestBytes: 4 * 1024 * 1024,
  });
  const parts = { manifest: image.digest, config, layer, signature: signature.digest };
  return Object.fromEntries(
    Object.entries({ ...stores, expected: { contents: expected } }).flatMap(
      ([name, { contents }]) => {
        const found = Object.entries(parts).flatMap(([part, digest]) =>
          contents.has(digest) ? part : [],
        );
        return found.length > 0 ? [[name, found.join(' ')]] : [];
      },
    ),
  );
}

const scanEnabled = true;

it.each<[string, Situation, Partial<Record<ImagePart | 'expected', string>>]>([
  ['without a push downloads everything', { auto: false }, { layout: 'manifest config layer' }],
  [
    'without a push takes its signature along',
    { auto: false, signed: true },
    { layout: 'manifest config layer signature' },
  ],
  ['of a transfer takes its signature along', { signed: true }, { handOver: 'manifest signature' }],
  [
    'to be scanned, and not pushed, downloads everything',
    { scanEnabled, auto: false },
    {
      layout: 'manifest config layer',
      followed: 'manifest config layer',
      expected: 'manifest',
    },
  ],
  [
    'to be scanned downloads everything',
    { scanEnabled },
    {
      layout: 'manifest config layer',
      manifests: 'manifest',
      followed: 'manifest config layer',
      expected: 'manifest',
    },
  ],
  [
    'with a known report downloads the manifests',
    { scanEnabled, hasStoredScan: true },
    { manifests: 'manifest' },
  ],
  [
    'whose scan lacked a layer downloads everything',
    { scanEnabled, hasStoredScan: true, blobsWanted: true },
    { layout: 'manifest config layer' },
  ],
  [
    'to be scanned skips a layer that the scanner remembers',
    { scanEnabled, skipped: 'the layer' },
    {
      sparse: 'manifest config',
      manifests: 'manifest',
      followed: 'manifest config',
      expected: 'manifest',
    },
  ],
  [
    'that the same worker pushes at once keeps the manifests in memory',
    {},
    { handOver: 'manifest' },
  ],
  [
    'that another worker pushes stores the manifests for it',
    { pushesHere: false },
    { manifests: 'manifest' },
  ],
  [
    'of selected platforms stores the manifests as well',
    { platforms: ['linux/amd64'] },
    { manifests: 'manifest' },
  ],
])('a pull of an image %s', async (_, situation, expected) => {
  expect(await placesIn(situation)).toEqual(expected);
});
