/**
 * Adds images of one repository to the index in one transaction. The counts of the repository
 * change by what the images add and replace: a recount would read the whole repository.
 */
import type { Connection } from '../database.ts';
import type { ManifestFacts, StoredImage } from '../port.ts';
import { dropUnreferenced, LARGEST, namespaceOf, refresh } from './image-index.ts';

/** @param images of one repository, in the order in which they were stored */
export async function recordImages(tx: Connection, images: readonly StoredImage[]): Promise<void> {
  const repository = images[0]?.repository;
  if (repository === undefined) return;
  const at = new Date(Math.max(...images.map((image) => image.at.getTime())));
  const sizeBefore = await lockRepository(tx, repository, at);
  const manifests = manifestsOf(images);
  const tags = tagsOf(images);
  const known = await knownTags(tx, repository, [...tags.keys()]);
  const replaced = replacedIn([...known, ...images], tags);
  const touched = await touchedBy(tx, repository, { manifests, replaced });
  const before = await sizeOf(tx, repository, touched);
  await insertManifests(tx, repository, manifests);
  await setTags(tx, repository, tags);
  if (replaced.length > 0) await dropUnreferenced(tx, repository, replaced);
  const after = await sizeOf(tx, repository, touched);
  // Sums beyond the limit can't be subtracted.
  if ([sizeBefore, before, after].some((size) => size >= LARGEST)) return refresh(tx, repository);
  await tx.$executeRaw`
    UPDATE local_repositories
       SET tag_count = tag_count + ${tags.size - known.length}, size = least(size + ${after - before}, ${LARGEST})
     WHERE name = ${repository}`;
}

/** @returns its size */
async function lockRepository(tx: Connection, repository: string, at: Date): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ size: bigint }[]>`
    INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
    VALUES (${repository}, ${namespaceOf(repository)}, ${at}, ${at})
    ON CONFLICT (name) DO UPDATE SET updated_at = greatest(local_repositories.updated_at, excluded.updated_at)
    RETURNING size`;
  return row?.size ?? 0n;
}

type StoredManifest = ManifestFacts & { at: Date };

/** Each once, and with platforms where any of the images knows them. */
function manifestsOf(images: readonly StoredImage[]): StoredManifest[] {
  const found = new Map<string, StoredManifest>();
  for (const { manifests, at } of images)
    for (const manifest of manifests) {
      const known = found.get(manifest.digest);
      if (!known || manifest.platforms.length > 0)
        found.set(manifest.digest, { ...manifest, at: known?.at ?? at });
    }
  return [...found.values()];
}

type Tagged = Pick<StoredImage, 'digest' | 'at'>;

/** The last image of each tag. */
function tagsOf(images: readonly StoredImage[]): Map<string, Tagged> {
  return new Map(
    images.flatMap(({ tag, digest, at }): [string, Tagged][] =>
      tag === null ? [] : [[tag, { digest, at }]],
    ),
  );
}

type Tagging = Pick<StoredImage, 'tag' | 'digest'>;

function knownTags(tx: Connection, repository: string, tags: string[]): Promise<Tagging[]> {
  return tx.$queryRaw<Tagging[]>`
    SELECT tag, digest FROM local_tags WHERE repository = ${repository} AND tag = ANY (${tags})`;
}

/** The digests that a tag names no longer; not those that were also stored by digest. */
function replacedIn(taggings: readonly Tagging[], tags: ReadonlyMap<string, Tagged>): string[] {
  const moved = taggings.filter(
    ({ tag, digest }) => tag !== null && tags.get(tag)?.digest !== digest,
  );
  const replaced = new Set(moved.map(({ digest }) => digest));
  for (const { tag, digest } of taggings) if (tag === null) replaced.delete(digest);
  return [...replaced];
}

interface Touching {
  manifests: readonly ManifestFacts[];
  replaced: readonly string[];
}

/** The digests whose presence in the repository may change. */
async function touchedBy(
  tx: Connection,
  repository: string,
  { manifests, replaced }: Touching,
): Promise<string[]> {
  const added = manifests.flatMap(({ digest, contents }) => [
    digest,
    ...contents.map((each) => each.digest),
  ]);
  const beneath =
    replaced.length === 0
      ? []
      : await tx.$queryRaw<{ digest: string }[]>`
          WITH RECURSIVE beneath (digest, is_manifest) AS (
            SELECT digest, is_manifest FROM local_contents
             WHERE repository = ${repository} AND parent = ANY (${[...replaced]})
             UNION
            SELECT c.digest, c.is_manifest
              FROM beneath b JOIN local_contents c ON c.repository = ${repository} AND c.parent = b.digest
             WHERE b.is_manifest)
          SELECT digest FROM beneath`;
  return [...new Set([...added, ...replaced, ...beneath.map(({ digest }) => digest)])];
}

/** Their part of the repository's size. */
async function sizeOf(
  tx: Connection,
  repository: string,
  digests: readonly string[],
): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ size: bigint }[]>`
    SELECT least(coalesce(sum(size), 0), ${LARGEST})::bigint AS size FROM (
      SELECT digest, max(size) AS size FROM (
        SELECT digest, size FROM local_contents WHERE repository = ${repository} AND digest = ANY (${[...digests]})
         UNION ALL
        SELECT digest, size FROM local_manifests WHERE repository = ${repository} AND digest = ANY (${[...digests]})) every
       GROUP BY digest) once`;
  return row?.size ?? 0n;
}

async function insertManifests(
  tx: Connection,
  repository: string,
  manifests: readonly StoredManifest[],
): Promise<void> {
  const rows = JSON.stringify(manifests.map(({ contents: _, ...facts }) => facts));
  await tx.$executeRaw`
    INSERT INTO local_manifests
      (repository, digest, media_type, artifact_type, subject, size, total_size, platforms, pushed_at)
    SELECT ${repository}, digest, "mediaType", "artifactType", subject, size, size, platforms, at
      FROM jsonb_to_recordset(${rows}::jsonb) AS given
           (digest text, "mediaType" text, "artifactType" text, subject text, size int, platforms text[], at timestamptz)
    ON CONFLICT (repository, digest) DO UPDATE SET platforms = excluded.platforms
     WHERE cardinality(excluded.platforms) > 0`;
  const contents = manifests.flatMap(({ digest: parent, contents }) =>
    contents.map((each) => ({ ...each, parent })),
  );
  await tx.$executeRaw`
    INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
    SELECT ${repository}, parent, digest, size, "isManifest"
      FROM jsonb_to_recordset(${JSON.stringify(contents)}::jsonb) AS given
           (parent text, digest text, size bigint, "isManifest" boolean)
        ON CONFLICT DO NOTHING`;
  await setTotalSizes(
    tx,
    repository,
    manifests.map(({ digest }) => digest),
  );
}

async function setTotalSizes(
  tx: Connection,
  repository: string,
  digests: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    WITH RECURSIVE beneath (root, digest, size, is_manifest) AS (
      SELECT parent, digest, size, is_manifest FROM local_contents
       WHERE repository = ${repository} AND parent = ANY (${[...digests]})
       UNION
      SELECT b.root, c.digest, c.size, c.is_manifest
        FROM beneath b JOIN local_contents c ON c.repository = ${repository} AND c.parent = b.digest
       WHERE b.is_manifest),
    total (root, size) AS (SELECT root, sum(size) FROM beneath GROUP BY root)
    UPDATE local_manifests m
       SET total_size = least(m.size + coalesce((SELECT t.size FROM total t WHERE t.root = m.digest), 0), ${LARGEST})
     WHERE m.repository = ${repository} AND m.digest = ANY (${[...digests]})`;
}

async function setTags(
  tx: Connection,
  repository: string,
  tags: ReadonlyMap<string, Tagged>,
): Promise<void> {
  const given = [...tags].map(([tag, { digest, at }]) => ({ tag, digest, at }));
  await tx.$executeRaw`
    INSERT INTO local_tags (repository, tag, digest, updated_at)
    SELECT ${repository}, tag, digest, at
      FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given (tag text, digest text, at timestamptz)
    ON CONFLICT (repository, tag) DO UPDATE SET digest = excluded.digest, updated_at = excluded.updated_at`;
}
