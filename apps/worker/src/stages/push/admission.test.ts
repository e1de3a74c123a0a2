import type { StagingJob } from '@portcullis/domain';
import type { JudgedPush, OpenPushGate } from '@portcullis/gate';
import { contentOf, copy, isManifestType, type Target } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';
import { buildImage, everything } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { admission, admittedTarget } from './admission.ts';

const REFUSED = { allowed: false, code: 'VULN_BLOCKED', reason: 'blocked' } as const;

/** A push whose decision changes when `changesAt` is written. */
async function pushUntil(changesAt: 'nothing' | 'the layer') {
  const image = await buildImage({ layers: [{ a: 'b' }] });
  const source = createMemoryStore();
  for (const { descriptor, bytes } of everything(image))
    await source.push(descriptor, async (part) => contentOf(bytes, part));
  const registry = createMemoryStore();
  let allowed = true;
  const target: Target = {
    ...registry,
    async push(descriptor, open, options) {
      await registry.push(descriptor, open, options);
      if (changesAt === 'the layer' && !isManifestType(descriptor.mediaType)) allowed = false;
    },
  };
  const judge = () => ({ decision: allowed ? { allowed } : REFUSED }) as JudgedPush;
  const admit = admission({} as StagingJob, async () => ({ judge }) as unknown as OpenPushGate);
  await admit.again();
  const root = await source.resolve(image.digest);
  const copied = copy(source, image.digest, admittedTarget(target, admit), {
    root,
    targetTag: '1',
  });
  const code = await copied.then(
    () => null,
    (error: { code: string }) => error.code,
  );
  return {
    code,
    allowed: admit.latest().decision.allowed,
    tagged: registry.tags.has('1'),
    manifest: registry.contents.has(image.digest),
    blobs: image.blobs.filter(({ descriptor }) => registry.contents.has(descriptor.digest)).length,
  };
}

it('a push whose decision stays the same writes everything', async () => {
  expect(await pushUntil('nothing')).toEqual({
    code: null,
    allowed: true,
    tagged: true,
    manifest: true,
    blobs: 2,
  });
});

it('a push that is refused while its blobs are uploaded writes no manifest', async () => {
  expect(await pushUntil('the layer')).toMatchObject({
    code: 'VULN_BLOCKED',
    allowed: false,
    tagged: false,
    manifest: false,
  });
});
