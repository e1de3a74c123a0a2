/**
 * A store for `npm run bench garbage`, written directly in the registry's layout and in the tables
 * of the image index: half of the manifests have a tag.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OCI_MANIFEST } from '@portcullis/oci';
import { openSql } from '@portcullis/testing';

const PER_REPOSITORY = 200;

export interface StoredImageOfBench {
  repository: string;
  /** Null for a manifest that is garbage. */
  tag: string | null;
  digest: string;
  bytes: string;
  config: string;
}

export interface StoreLocation {
  storageDir: string;
  databaseUrl: string;
}

/** @returns the tagged images */
export async function writeStore(
  { storageDir, databaseUrl }: StoreLocation,
  manifests: number,
): Promise<StoredImageOfBench[]> {
  const root = path.join(storageDir, 'docker/registry/v2');
  const tagged: StoredImageOfBench[] = [];
  const sql = await openSql(databaseUrl);
  for (let first = 0; first < manifests; first += PER_REPOSITORY) {
    const repository = `team/app-${first / PER_REPOSITORY}`;
    const images = Array.from({ length: Math.min(PER_REPOSITORY, manifests - first) }, (_, n) =>
      imageOf(repository, first + n),
    );
    writeBlob(root, layerOf(repository));
    link(root, `${repository}/_layers`, digestOf(layerOf(repository)));
    for (const image of images) writeImage(root, image);
    await insert(sql, repository, images);
    tagged.push(...images.filter(({ tag }) => tag !== null));
  }
  await sql.query('ANALYZE');
  await sql.end();
  return tagged;
}

const layerOf = (repository: string) => `layer of ${repository}`;

function imageOf(repository: string, n: number): StoredImageOfBench {
  const config = JSON.stringify({ architecture: 'amd64', os: 'linux', created: String(n) });
  const describe = (mediaType: string, bytes: string) => ({
    mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
  });
  const bytes = JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI_MANIFEST,
    config: describe('application/vnd.oci.image.config.v1+json', config),
    layers: [describe('application/vnd.oci.image.layer.v1.tar', layerOf(repository))],
  });
  return { repository, tag: n % 2 ? `v${n}` : null, digest: digestOf(bytes), bytes, config };
}

function writeImage(root: string, { repository, tag, digest, bytes, config }: StoredImageOfBench) {
  writeBlob(root, bytes);
  writeBlob(root, config);
  link(root, `${repository}/_layers`, digestOf(config));
  link(root, `${repository}/_manifests/revisions`, digest);
  if (tag === null) return;
  const dir = `${repository}/_manifests/tags/${tag}`;
  link(root, `${dir}/index`, digest);
  writeFile(path.join(root, 'repositories', dir, 'current/link'), digest);
}

function writeBlob(root: string, bytes: string): void {
  const hex = hexOf(digestOf(bytes));
  writeFile(path.join(root, 'blobs/sha256', hex.slice(0, 2), hex, 'data'), bytes);
}

function link(root: string, dir: string, digest: string): void {
  writeFile(path.join(root, 'repositories', dir, 'sha256', hexOf(digest), 'link'), digest);
}

function writeFile(file: string, bytes: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

export function digestOf(bytes: string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function hexOf(digest: string): string {
  return digest.slice('sha256:'.length);
}

async function insert(
  sql: Awaited<ReturnType<typeof openSql>>,
  repository: string,
  images: StoredImageOfBench[],
): Promise<void> {
  const digests = images.map(({ digest }) => digest);
  const tagged = images.filter(({ tag }) => tag !== null);
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
     VALUES ($1, 'team', $2, 0, now(), now())`,
    [repository, tagged.length],
  );
  await sql.query(
    `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
     SELECT $1, digest, $2, 500, 500, '{}', now() FROM unnest($3::text[]) digest`,
    [repository, OCI_MANIFEST, digests],
  );
  await sql.query(
    `INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
     SELECT $1, parent, digest, 60, FALSE FROM unnest($2::text[], $3::text[]) each (parent, digest)`,
    [repository, digests, images.map(({ config }) => digestOf(config))],
  );
  await sql.query(
    `INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
     SELECT $1, parent, $3, 20, FALSE FROM unnest($2::text[]) parent`,
    [repository, digests, digestOf(layerOf(repository))],
  );
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     SELECT $1, tag, digest, now() FROM unnest($2::text[], $3::text[]) each (tag, digest)`,
    [repository, tagged.map(({ tag }) => tag), tagged.map(({ digest }) => digest)],
  );
}
