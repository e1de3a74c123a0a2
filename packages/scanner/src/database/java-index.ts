/**
 * An empty index of Java archives (trivy-java-db), used until the real one is downloaded. With it
 * Trivy judges the archives that contain their own coordinates, instead of failing at the first
 * archive.
 */
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasCode } from '@portcullis/runtime';

/** The schema of trivy-java-db. */
const SCHEMA = `
  CREATE TABLE artifacts(id INTEGER PRIMARY KEY, group_id TEXT, artifact_id TEXT);
  CREATE TABLE indices(artifact_id INTEGER, version TEXT, sha1 BLOB, archive_type TEXT,
    FOREIGN KEY (artifact_id) REFERENCES artifacts(id));
  CREATE UNIQUE INDEX artifacts_idx ON artifacts(artifact_id, group_id);
  CREATE INDEX indices_artifact_idx ON indices(artifact_id);
  CREATE UNIQUE INDEX indices_sha1_idx ON indices(sha1);`;

const METADATA = {
  Version: 1,
  UpdatedAt: '2000-01-01T00:00:00Z',
  NextUpdate: '2000-01-01T00:00:00Z',
  DownloadedAt: '2000-01-01T00:00:00Z',
};

/**
 * Makes `into` a database directory with the advisories of `databaseDir` and an empty Java index.
 */
export async function linkBesideEmptyIndex(
  databaseDir: string,
  emptyJava: string,
  into: string,
): Promise<void> {
  await ensureEmptyIndex(emptyJava);
  await mkdir(into, { recursive: true });
  await link(join(databaseDir, 'db'), join(into, 'db'));
  await link(emptyJava, join(into, 'java-db'));
}

async function link(target: string, path: string): Promise<void> {
  await symlink(target, path).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
}

/** Renamed into place when complete; of two concurrent writers the first wins. */
async function ensureEmptyIndex(dir: string): Promise<void> {
  if ((await stat(join(dir, 'metadata.json')).catch(() => null)) !== null) return;
  const draft = `${dir}.${crypto.randomUUID()}`;
  try {
    await mkdir(draft, { recursive: true });
    const index = new DatabaseSync(join(draft, 'trivy-java.db'));
    index.exec(SCHEMA);
    index.close();
    await writeFile(join(draft, 'metadata.json'), JSON.stringify(METADATA));
    await rename(draft, dir);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
