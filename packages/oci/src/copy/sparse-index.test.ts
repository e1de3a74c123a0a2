/** Indexes of which only some platforms are copied, or are at an end of a copy. */
import { buildArtifact, buildImage, buildIndex, type TestImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../memory/memory.ts';
import { type CopyOptions, copy } from './copy.ts';
import { planCopy } from './plan-copy.ts';
import { memoryOf } from './sample.contract.ts';

const imageFor = (platform: string) =>
  buildImage({ layers: [{ base: 'shared' }, { platform }], platform });

function attestationOf({ digest }: TestImage): TestImage {
  const attestation = buildArtifact({
    layers: [{ mediaType: 'application/vnd.in-toto+json', bytes: Buffer.from(`"${digest}"`) }],
  });
  const annotations = { 'vnd.docker.reference.digest': digest };
  const platform = { os: 'unknown', architecture: 'unknown' };
  return { ...attestation, descriptor: { ...attestation.descriptor, annotations, platform } };
}

async function anIndex() {
  const [amd64, arm64] = [await imageFor('linux/amd64'), await imageFor('linux/arm64')];
  const attestations = [attestationOf(amd64), attestationOf(arm64)] as const;
  return { amd64, arm64, attestations, index: buildIndex([amd64, arm64, ...attestations]) };
}

const KEPT: CopyOptions = { platforms: ['linux/amd64'], keepIndex: true };

describe('an index that is kept for some platforms', () => {
  it('has its own digest, and the chosen images with their attestations', async () => {
    const { amd64, arm64, attestations, index } = await anIndex();
    const target = createMemoryStore();
    const copied = await copy(await memoryOf(index), index.digest, target, {
      ...KEPT,
      targetTag: '1',
    });
    expect(copied.root.digest).toBe(index.digest);
    expect((await target.resolve('1')).digest).toBe(index.digest);
    const left = [arm64.digest, attestations[1].digest];
    expect(copied.absent).toEqual(left);
    expect([index.digest, amd64.digest, ...left].map((each) => target.contents.has(each))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(target.contents.has(attestations[0].digest)).toBe(true);
  });

  it('is copied whole where it has none of them, as is what is no index', async () => {
    const { amd64, index } = await anIndex();
    for (const image of [index, amd64]) {
      const target = createMemoryStore();
      const platforms = ['windows/amd64'];
      const copied = await copy(await memoryOf(image), image.digest, target, {
        ...{ platforms, keepIndex: true },
      });
      expect([copied.root.digest, copied.absent]).toEqual([image.digest, []]);
    }
  });

  it('takes those of the platforms that it has', async () => {
    const { arm64, index } = await anIndex();
    const target = createMemoryStore();
    await copy(await memoryOf(index), index.digest, target, {
      ...{ platforms: ['linux/s390x', 'linux/arm64'], keepIndex: true },
    });
    expect(target.contents.has(arm64.digest)).toBe(true);
  });
});

describe('an index whose platforms the source lacks', () => {
  async function sparse() {
    const { index, ...parts } = await anIndex();
    const source = createMemoryStore();
    await copy(await memoryOf(index), index.digest, source, KEPT);
    return { ...parts, index, source };
  }

  it('is not copied whole, and the refusal names the platform', async () => {
    const { arm64, index, source } = await sparse();
    const target = createMemoryStore();
    await expect(copy(source, index.digest, target)).rejects.toMatchObject({
      ...{ code: 'PLATFORM_ABSENT', kind: 'not_found', side: 'source' },
      detail: { digest: arm64.digest, platform: 'linux/arm64' },
    });
    expect(target.contents.size).toBe(0);
  });

  it('is copied for the platforms that are there', async () => {
    const { amd64, index, source } = await sparse();
    const target = createMemoryStore();
    const platforms = ['linux/amd64'];
    const { root } = await copy(source, index.digest, target, { platforms });
    expect(root.digest).toBe(amd64.digest);
  });

  it('is copied as far as it is there where the caller says so', async () => {
    const { amd64, arm64, attestations, index, source } = await sparse();
    const target = createMemoryStore();
    const { absent } = await copy(source, index.digest, target, { skipAbsent: true });
    expect(absent.toSorted()).toEqual([arm64.digest, attestations[1].digest].toSorted());
    expect(target.contents.has(amd64.digest)).toBe(true);
  });

  it('is completed at a target that has it, where the target may be sparse', async () => {
    const { arm64, index, source: target } = await sparse();
    const whole = await memoryOf(index);
    await copy(whole, index.digest, target);
    expect(target.contents.has(arm64.digest)).toBe(false);
    const options = { sparseTarget: true, signal: new AbortController().signal };
    const plan = await planCopy(whole, index.digest, target, options);
    expect(plan.manifests.map(({ digest }) => digest)).toContain(arm64.digest);
    await copy(whole, index.digest, target, { sparseTarget: true });
    expect(target.contents.has(arm64.digest)).toBe(true);
  });
});
