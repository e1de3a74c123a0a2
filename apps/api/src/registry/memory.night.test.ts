import { startRegistry, streamDown, streamUp, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gate, startGate } from './gate-process.fixture.ts';
import { basic } from './v2.fixture.ts';

const MIB = 1024 * 1024;
const PARALLEL = 4;
const BLOB_MIB = 256;
/** While 1 GiB passes: stream buffers and uncollected garbage. */
const GROWTH_MIB = 150;

let registry: TestRegistry;
let gate: Gate;

beforeAll(async () => {
  registry = await startRegistry();
  gate = await startGate(registry.url);
});

afterAll(async () => {
  await gate?.stop();
  await registry?.stop();
});

it('memory stays flat while four blobs of 256 MiB go in and come out side by side', async () => {
  const end = { url: gate.url, repository: 'team/large', ...basic('writer') };
  const each = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: PARALLEL }, work));
  await streamDown(end, await streamUp(end, 8)); // what is loaded on first use
  const { rss } = await gate.memory();
  const digests = await each(() => streamUp(end, BLOB_MIB));
  const up = await gate.memory();
  expect(await Promise.all(digests.map((digest) => streamDown(end, digest)))).toEqual(digests);
  const down = await gate.memory();
  expect((up.peak - rss) / MIB).toBeLessThan(GROWTH_MIB);
  expect((down.peak - rss) / MIB).toBeLessThan(GROWTH_MIB);
});
