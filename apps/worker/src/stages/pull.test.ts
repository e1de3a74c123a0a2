import { DEFAULT_POLICY, type StagingJob } from '@portcullis/domain';
import { contentOf } from '@portcullis/oci';
import { createMemory, type Memory } from '@portcullis/oci/memory';
import { buildImage, everything } from '@portcullis/testing';
import { expect, it } from 'vitest';
import type { Attempt } from '../attempt.ts';
import { pull } from './pull.ts';

interface Situation {
  scanEnabled?: boolean;
  pushesHere?: boolean;
  platforms?: StagingJob['platforms'];
}

type Place = 'layout' | 'manifests' | 'handOver';

/** Where the image's manifest is after the pull of a transfer's job. */
async function placeIn({ scanEnabled = false, pushesHere = true, platforms = 'all' }: Situation) {
  const image = await buildImage({ layers: [{ a: 'b' }] });
  const source = createMemory();
  for (const { descriptor, bytes } of everything(image))
    await source.push(descriptor, async (part) => contentOf(bytes, part));
  await source.tag(image.descriptor, '1');
  const places: Record<Place, Memory> = {
    layout: createMemory(),
    manifests: createMemory(),
    handOver: createMemory(),
  };
  const job = { id: 'j', auto: true, tag: '1', digest: null, platforms, withReferrers: false };
  const overrides = { vulnScanEnabled: null, vulnSeverities: null };
  const attempt: Pick<Attempt, 'job' | 'signal' | 'report' | 'amend'> = {
    job: () => ({ ...job, overrides }) as StagingJob,
    signal: new AbortController().signal,
    report() {},
    amend: async () => {},
  };
  await pull(attempt as Attempt, {
    source: async () => source,
    layout: async () => places.layout,
    manifests: async () => places.manifests,
    handOver: pushesHere ? () => places.handOver : null,
    policy: async () => ({ ...DEFAULT_POLICY, scanEnabled }),
    wasScanned: async () => false,
    concurrency: 2,
    maxManifestBytes: 4 * 1024 * 1024,
  });
  return Object.entries(places).flatMap(([name, { contents }]) => (contents.has(image.digest) ? name : []));
}

it.each<[string, Situation, Place[]]>([
  ['to be scanned are all here', { scanEnabled: true }, ['layout']],
  ['that the same worker pushes at once stay in its memory', {}, ['handOver']],
  ['that another worker pushes are where it finds them', { pushesHere: false }, ['manifests']],
  ['of some platforms, which the source has no index of, too', { platforms: ['linux/amd64'] }, ['manifests']],
])('the manifests of an image %s', async (_, situation, expected) => {
  expect(await placeIn(situation)).toEqual(expected);
});
