/**
 * The versions of the vulnerability database on disk: `db/<id>/db/{trivy.db,metadata.json}`, with
 * the symbolic link `current`. A scan leases the version that it reads; an update never removes a
 * leased version.
 */
import {
  link,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { hasCode, removeAbandoned } from '@portcullis/runtime';
import { z } from 'zod';
import type { ScannerPaths } from '../paths.ts';

export interface DatabaseState {
  id: string;
  /** Date of the advisories; the database's age counts from it. */
  updatedAt: string;
  nextUpdate: string;
  downloadedAt: string;
  ageSeconds: number;
  /** The repository it was downloaded from; null for a database that was installed by hand. */
  source: string | null;
  /** Fields of the index of Java archives; all are null where there is none. */
  javaUpdatedAt: string | null;
  javaNextUpdate: string | null;
  javaDownloadedAt: string | null;
}

const Metadata = z.object({
  Version: z.number(),
  UpdatedAt: z.iso.datetime({ offset: true }),
  NextUpdate: z.iso.datetime({ offset: true }),
  DownloadedAt: z.iso.datetime({ offset: true }),
});
export type Metadata = z.infer<typeof Metadata>;

const Source = z.object({ repository: z.string() });

/** @throws ENOENT */
export async function readMetadata(dir: string, kind: 'db' | 'java-db'): Promise<Metadata> {
  return Metadata.parse(JSON.parse(await readFile(join(dir, kind, 'metadata.json'), 'utf8')));
}

/** The database that the next scan will use, or null. */
export async function readDatabase(
  paths: ScannerPaths,
  now = new Date(),
): Promise<DatabaseState | null> {
  const id = await currentId(paths);
  if (id === null) return null;
  const dir = join(paths.databases, id);
  const metadata = await readMetadata(dir, 'db');
  const java = await optional(readMetadata(dir, 'java-db'));
  const source = await optional(readFile(join(dir, 'source.json'), 'utf8'));
  return {
    id,
    updatedAt: metadata.UpdatedAt,
    nextUpdate: metadata.NextUpdate,
    downloadedAt: metadata.DownloadedAt,
    ageSeconds: Math.max(0, Math.floor((now.getTime() - Date.parse(metadata.UpdatedAt)) / 1000)),
    source: source === null ? null : Source.parse(JSON.parse(source)).repository,
    javaUpdatedAt: java?.UpdatedAt ?? null,
    javaNextUpdate: java?.NextUpdate ?? null,
    javaDownloadedAt: java?.DownloadedAt ?? null,
  };
}

export async function writeSource(dir: string, repository: string): Promise<void> {
  await writeFile(join(dir, 'source.json'), JSON.stringify(Source.parse({ repository })));
}

/** Hard-links the given files, or directories of files, from the current version. */
export async function linkFromCurrent(
  paths: ScannerPaths,
  draft: string,
  names: readonly string[],
): Promise<void> {
  const id = await currentId(paths);
  if (id === null) return;
  for (const name of names) await linkTree(join(paths.databases, id, name), join(draft, name));
}

async function linkTree(from: string, to: string): Promise<void> {
  const found = await optional(stat(from));
  if (found === null) return;
  if (!found.isDirectory()) return link(from, to);
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await link(join(from, name), join(to, name));
}

export async function currentId(paths: ScannerPaths): Promise<string | null> {
  return optional(readlink(paths.current));
}

/** Switches by rename: a reader sees either the old version or the new one. */
export async function switchTo(paths: ScannerPaths, id: string): Promise<void> {
  const link = `${paths.current}.${crypto.randomUUID()}`;
  await symlink(id, link);
  await rename(link, paths.current);
}

export interface DatabaseLease extends AsyncDisposable {
  dir: string;
  id: string;
}

/** @throws unavailable `SCAN_DATABASE_MISSING` */
export async function leaseDatabase(paths: ScannerPaths, seconds: number): Promise<DatabaseLease> {
  for (;;) {
    const id = await currentId(paths);
    if (id === null) throw missing();
    const dir = join(paths.databases, id);
    const file = join(dir, 'leases', crypto.randomUUID());
    const release = () => rm(file, { force: true });
    const isWritten = await writeLease(dir, file, seconds);
    // An update that runs after this check sees the lease; one that ran before it has changed the
    // link.
    if (isWritten && (await currentId(paths)) === id)
      return { dir, id, [Symbol.asyncDispose]: release };
    await release();
  }
}

async function writeLease(dir: string, file: string, seconds: number): Promise<boolean> {
  try {
    await stat(join(dir, 'db'));
    await mkdir(join(dir, 'leases'), { recursive: true });
    await writeFile(file, String(Date.now() + seconds * 1000));
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

export const DRAFT = '.new-';

/** Removes versions that no scan leases. The caller holds the updater's lock. */
export async function removeUnused(paths: ScannerPaths): Promise<void> {
  const current = await currentId(paths);
  for (const entry of await readdir(paths.databases, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === current) continue;
    const dir = join(paths.databases, entry.name);
    if (entry.name.startsWith(DRAFT)) await removeAbandoned(dir);
    else if (!(await isLeased(dir))) await rm(dir, { recursive: true, force: true });
  }
}

async function isLeased(dir: string): Promise<boolean> {
  for (const name of (await optional(readdir(join(dir, 'leases')))) ?? []) {
    const until = await optional(readFile(join(dir, 'leases', name), 'utf8'));
    if (until !== null && Number(until) > Date.now()) return true;
  }
  return false;
}

async function optional<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function missing(): Error {
  return unavailable(
    'SCAN_DATABASE_MISSING',
    'the vulnerability database has not been downloaded yet',
  );
}
