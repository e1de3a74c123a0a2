import { exportNames } from '@portcullis/scanner';
import type { Transfer, TransferredJob } from '@portcullis/store';
import { expect, it } from 'vitest';
import { imageBatch } from './image-batch.ts';

const { file } = exportNames({ format: 'sarif', platform: null });
const TRANSFER: Transfer = {
  ...{ id: 'transfer', ownerId: 'owner', ownerName: 'owner', scheduleId: null },
  ...{ scheduleName: null, entryCount: 1 },
  firstEntry: { image: 'app', repository: 'team/app', tags: { tag: '1' }, targetTag: null },
  order: {
    source: { kind: 'host', registryId: null, host: 'from.example' },
    destination: { kind: 'local', registryId: '__local__', host: 'to.example' },
    platforms: 'all',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
  },
  ...{
    counts: {},
    blocked: 0,
    refused: 0,
    bypassed: 0,
    bypasses: [],
    selections: [],
    createdAt: new Date(),
  },
  bytes: { total: 0, done: 0, reused: 0, mounted: 0 },
};

const job = (id: string, tag: string, digest: string | null): TransferredJob => ({
  ...{ id, tag, digest, image: 'app', status: 'pushed', verdict: 'clean', error: null, pushes: [] },
  source: TRANSFER.order.source,
});

async function batchOf(...jobs: TransferredJob[]) {
  const batch = await imageBatch(TRANSFER, 'sarif', {
    transfers: { jobs: async () => jobs },
    kept: {
      namesOfAll: async (ids) => new Map(ids.map((id) => [id, new Set([file])])),
      async *read() {},
    },
    convert: async () => {},
    scanner: { state: async () => ({ binary: 'ready', message: '' }) },
  });
  const reported: string[] = [];
  for (const { name, open } of batch.images) if ('content' in (await open())) reported.push(name);
  return { ...batch, reported };
}

it('an image that goes to two places is reported once, and one with another digest again', async () => {
  const { images, reported } = await batchOf(
    job('1', 'v1', 'sha256:a'),
    job('2', 'v1', 'sha256:a'),
    job('3', 'v1', 'sha256:b'),
  );
  expect(images).toHaveLength(3);
  expect(reported).toEqual(['from.example/app:v1@sha256:a', 'from.example/app:v1@sha256:b']);
});

it('an image that was not pulled is named without a digest, and has no report', async () => {
  const { images, reported } = await batchOf(job('1', 'v1', null));
  expect(images[0]).toMatchObject({ name: 'from.example/app:v1', pinned: null });
  expect(reported).toEqual([]);
});

it('its category is that of the route, so that a later run replaces it', async () => {
  const { category, name } = await batchOf();
  expect([category, name]).toEqual(['transfer/from.example/to.example', 'Transfer transfer']);
});
