/** Garbage collection in batches, with writes at the worst moments. */
import { createHash } from 'node:crypto';
import { blobOf, buildIndex, PATIENCE_MS, pushBlob } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { createCollectorLock } from './collector-lock.ts';
import {
  image,
  isWhole,
  push,
  putTag,
  REPOSITORY,
  redis,
  registry,
  registryLock,
  startSwept,
  status,
  sweep,
} from './sweep-directory.fixture.ts';

startSwept();

const CLOSED = 'portcullis:registry-gate:closed';

const waiting = () => ({ patienceMs: PATIENCE_MS, signal: new AbortController().signal });

it('what is tagged after the search is kept with all that it reaches; the rest is deleted', async () => {
  const [tagged, restored, child, gone] = await Promise.all(
    ['tagged', 'restored', 'child', 'gone'].map(image),
  );
  if (!tagged || !restored || !child || !gone) return expect.unreachable();
  for (const each of [tagged, restored, child, gone]) await push(null, each);
  const index = buildIndex([child]);
  await sweep(async () => {
    await registryLock.write(async () => {
      await registryLock.touches(REPOSITORY, [tagged.digest]);
      await putTag('tagged', tagged);
    });
    // A removal of a tag that fails puts it back, and knows its name alone.
    await registryLock.write(async () => {
      await registryLock.touches(REPOSITORY, ['restored']);
      await putTag('restored', restored);
    });
    await registryLock.write(async () => {
      await registryLock.touches(REPOSITORY, [index.digest]);
      await putTag('index', index);
    });
  });
  for (const each of [tagged, restored, index]) expect(await isWhole(each)).toBe(true);
  expect(await status(gone.digest)).toBe(404);
});

it('a blob that a push finds after the search is kept, by its sha512 digest as well', async () => {
  const [found, named] = [Buffer.from('found by a push'), Buffer.from('uploaded again')];
  for (const bytes of [found, named])
    await pushBlob(registry.url, REPOSITORY, blobOf('application/octet-stream', bytes));
  const sha512 = `sha512:${createHash('sha512').update(named).digest('hex')}`;
  const { digest } = blobOf('application/octet-stream', found).descriptor;
  await sweep(async () => {
    await registryLock.write(() => registryLock.needs(REPOSITORY, [digest]));
    await registryLock.write(async () => {
      await registryLock.needs(REPOSITORY, [sha512]);
      const start = await fetch(`${registry.url}/v2/${REPOSITORY}/blobs/uploads/`, {
        method: 'POST',
      });
      const at = new URL(start.headers.get('location') ?? '', registry.url);
      at.searchParams.set('digest', sha512);
      expect((await fetch(at, { method: 'PUT', body: named })).status).toBe(201);
    });
  });
  for (const each of [digest, sha512]) {
    const answer = await fetch(`${registry.url}/v2/${REPOSITORY}/blobs/${each}`);
    expect(answer.status).toBe(200);
  }
});

it('the lock: writes go on between pauses, and earlier releases see it closed', async () => {
  await using lock = await createCollectorLock(redis).begin(waiting());
  expect(await redis.exists(CLOSED)).toBe(1);
  await registryLock.write(() => registryLock.touches('team/one', ['1', '2']));
  {
    await using pause = await lock.pause(waiting());
    expect(pause.touched).toHaveLength(2);
    await expect(registryLock.write(async () => {})).rejects.toThrow(/garbage/);
  }
  expect(await registryLock.write(async () => 'in')).toBe('in');
  await using pause = await lock.pause(waiting());
  expect(pause.touched).toEqual([]);
});

it('a collection whose lock was lost pauses and deletes nothing more', async () => {
  const gone = await image('stays for now');
  await push(null, gone);
  const swept = sweep(() => redis.del(CLOSED));
  await expect(swept).rejects.toMatchObject({ code: 'GATE_LOST' });
  expect(await status(gone.digest)).toBe(200);
  expect(await registryLock.write(async () => 'in')).toBe('in');
  expect(await sweep()).toMatchObject({ manifests: 1 });
});
