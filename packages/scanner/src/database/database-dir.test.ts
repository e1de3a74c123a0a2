import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { type ScannerPaths, scannerPaths } from '../paths.ts';
import { leaseDatabase, readDatabase, removeUnused, switchTo } from './database-dir.ts';

async function addVersion(paths: ScannerPaths, id: string): Promise<void> {
  await mkdir(join(paths.databases, id, 'db'), { recursive: true });
  const metadata = {
    Version: 2,
    UpdatedAt: '2026-01-01T00:00:00.123456789Z',
    NextUpdate: '2026-01-02T00:00:00Z',
    DownloadedAt: '2026-01-01T06:00:00Z',
  };
  await writeFile(join(paths.databases, id, 'db', 'metadata.json'), JSON.stringify(metadata));
}

describe('the versions of the database', () => {
  it('are empty at first', async () => {
    await using dir = await temporaryDir();
    const paths = scannerPaths(dir.path);
    expect(await readDatabase(paths)).toBeNull();
    await expect(leaseDatabase(paths, 1)).rejects.toMatchObject({ code: 'SCAN_DATABASE_MISSING' });
  });

  it('have the age of their advisories', async () => {
    await using dir = await temporaryDir();
    const paths = scannerPaths(dir.path);
    await addVersion(paths, 'a');
    await switchTo(paths, 'a');
    const database = await readDatabase(paths, new Date('2026-01-01T12:00:00.123Z'));
    expect(database).toMatchObject({ id: 'a', ageSeconds: 12 * 3600, source: null });
  });

  it('are kept while they are leased', async () => {
    await using dir = await temporaryDir();
    const paths = scannerPaths(dir.path);
    await addVersion(paths, 'old');
    await switchTo(paths, 'old');
    const lease = await leaseDatabase(paths, 60);
    await addVersion(paths, 'new');
    await switchTo(paths, 'new');
    await removeUnused(paths);
    expect((await readdir(paths.databases)).sort()).toEqual(['current', 'new', 'old']);
    await lease[Symbol.asyncDispose]();
    await removeUnused(paths);
    expect((await readdir(paths.databases)).sort()).toEqual(['current', 'new']);
  });

  it('are removed when the lease of a dead scan has expired', async () => {
    await using dir = await temporaryDir();
    const paths = scannerPaths(dir.path);
    await addVersion(paths, 'old');
    await switchTo(paths, 'old');
    await leaseDatabase(paths, -1);
    await addVersion(paths, 'new');
    await switchTo(paths, 'new');
    await removeUnused(paths);
    expect(await readdir(paths.databases)).not.toContain('old');
  });
});
