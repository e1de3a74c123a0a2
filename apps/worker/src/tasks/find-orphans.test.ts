import { randomUUID } from 'node:crypto';
import { link, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOrphans } from './find-orphans.ts';

let stagingDir: string;
beforeEach(async () => {
  stagingDir = await mkdtemp(path.join(tmpdir(), 'staging-'));
});
afterEach(() => rm(stagingDir, { recursive: true }));

async function layout(id: string, bytes: number): Promise<void> {
  await mkdir(path.join(stagingDir, id, 'blobs'), { recursive: true });
  await writeFile(path.join(stagingDir, id, 'blobs', 'a'), Buffer.alloc(bytes));
}

function find(owned: string[] = [], now: () => number = Date.now) {
  const existing = async (ids: readonly string[]) =>
    new Set(ids.filter((id) => owned.includes(id)));
  return findOrphans({ stagingDir, jobs: { existing }, now });
}

it('a staging directory without a job is an orphan with its size, except a recent one', async () => {
  const [job, orphan] = [randomUUID(), randomUUID()];
  await layout(job, 10);
  await layout(orphan, 1000);
  await mkdir(path.join(stagingDir, 'not-a-job'));
  expect(await find([job])).toMatchObject({
    items: [{ jobId: orphan, size: 1000, files: 1, removable: false }],
    complete: true,
  });
  const later = await find([job], () => Date.now() + 11 * 60_000);
  expect(later.items).toMatchObject([{ jobId: orphan, removable: true }]);
});

it("C7: another job that links a blob of an orphan does not change the orphan's age", async () => {
  const [orphan, job] = [randomUUID(), randomUUID()];
  await layout(orphan, 700);
  await mkdir(path.join(stagingDir, job));
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const dir of ['blobs', '.'])
    await utimes(path.join(stagingDir, orphan, dir), hourAgo, hourAgo);
  // The link changes the ctime of the shared file to now.
  await link(path.join(stagingDir, orphan, 'blobs', 'a'), path.join(stagingDir, job, 'a'));
  const { items } = await find();
  expect(items.find(({ jobId }) => jobId === orphan)).toMatchObject({
    removable: true,
    modifiedAt: hourAgo,
  });
  expect(items.find(({ jobId }) => jobId === job)).toMatchObject({ removable: false });
});
