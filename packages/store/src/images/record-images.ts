/**
 * Adds images of one repository to the index in one transaction. The counts of the repository
 * change by what the images add and replace: a recount would read the whole repository.
 */

import { noteSigned, signedBy } from '../authorities/note-signed.ts';
import { type Connection, Prisma } from '../database.ts';
import { dropUnreferenced, LARGEST, namespaceOf, noteAdded, refresh } from './image-index.ts';
import type { ManifestFacts, SeenDigest, StoredImage } from './records.ts';
import { referrerRow } from './referrers.ts';
import { see } from './sightings.ts';

/** @param images of one repository, in the order in which they were stored */
export async function recordImages(tx: Connection, given: readonly StoredImage[]): Promise<void> {
  const repository = given[0]?.repository;
  if (repository === undefined) return;
  const { size: sizeBefore, now } = await lockRepository(tx, repository, newestOf(given));
  const images = given.map(({ at = now, ...image }) => ({ ...image, at }));
  const stored = { manifests: manifestsOf(images), tags: tagsOf(images) };
  const before = await stateBefore(tx, repository, stored);
  const replaced = replacedIn([...before.tags, ...images], stored.tags);
  const change =
    replaced.length === 0
      ? await add(tx, repository, stored, before.sizes)
      : await exchange(tx, repository, stored, replaced);
  await noteAdded(tx, repository, additionsTo(before.sizes, stored));
  // Sums beyond the limit can't be subtracted.
  if ([sizeBefore, change.before, change.after].some((size) => size >= LARGEST))
    return refresh(tx, repository);
  await tx.$executeRaw`
    UPDATE local_repositories
       SET tag_count = tag_count + ${stored.tags.size - before.tags.length},
           size = least(size + ${change.after - change.before}, ${LARGEST})
     WHERE name = ${repository}`;
}

/** Sizes of the digests whose presence may change, together. */
interface SizeChange {
  before: bigint;
  after: bigint;
}

/** Where no tag moves, the sizes afterwards are known without asking. */
async function add(
  tx: Connection,
  repository: string,
  stored: Stored,
  sizes: ReadonlyMap<string, bigint>,
): Promise<SizeChange> {
  await insert(tx, repository, stored);
  return additionsTo(sizes, stored);
}

/** The sizes of what is stored, before and afterwards. */
function additionsTo(sizes: ReadonlyMap<string, bigint>, { manifests }: Stored): SizeChange {
  const larger = new Map(sizes);
  for (const { digest, size } of sizedIn(manifests)) {
    const given = BigInt(size);
    if (given > (larger.get(digest) ?? -1n)) larger.set(digest, given);
  }
  return { before: sum(sizes.values()), after: sum(larger.values()) };
}

async function exchange(
  tx: Connection,
  repository: string,
  stored: Stored,
  replaced: readonly string[],
): Promise<SizeChange> {
  const touched = await touchedBy(tx, repository, { manifests: stored.manifests, replaced });
  const before = await sizeOf(tx, repository, touched);
  await insert(tx, repository, stored);
  await dropUnreferenced(tx, repository, [...replaced]);
  return { before, after: await sizeOf(tx, repository, touched) };
}

function sum(sizes: Iterable<bigint>): bigint {
  return [...sizes].reduce((all, size) => all + size, 0n);
}

/** An image whose time is known. */
type TimedImage = StoredImage & { at: Date };

/** Null where one of them is stored now. */
function newestOf(images: readonly StoredImage[]): Date | null {
  const times = images.map(({ at }) => at?.getTime());
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length ? null : new Date(Math.max(...known));
}

interface Locked {
  size: bigint;
  /** By the clock of the database, after the wait for other changes of the repository. */
  now: Date;
}

async function lockRepository(
  tx: Connection,
  repository: string,
  at: Date | null,
): Promise<Locked> {
  const time = Prisma.sql`coalesce(${at}::timestamptz, clock_timestamp())`;
  const [row] = await tx.$queryRaw<Locked[]>`
    INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
    VALUES (${repository}, ${namespaceOf(repository)}, ${time}, ${time})
    ON CONFLICT (name) DO UPDATE SET updated_at = greatest(local_repositories.updated_at, excluded.updated_at)
    RETURNING size, clock_timestamp() AS now`;
  if (!row) throw new Error(`${repository} could not be locked`);
  return row;
}

type StoredManifest = ManifestFacts & { at: Date };

/** What is recorded: each manifest once, and the last image of each tag. */
interface Stored {
  manifests: readonly StoredManifest[];
  tags: ReadonlyMap<string, Tagged>;
}

/** Each once, and with platforms where any of the images knows them. */
function manifestsOf(images: readonly TimedImage[]): StoredManifest[] {
  const found = new Map<string, StoredManifest>();
  for (const { manifests, at } of images)
    for (const manifest of manifests) {
      const known = found.get(manifest.digest);
      if (!known || manifest.platforms.length > 0)
        found.set(manifest.digest, { ...manifest, at: known?.at ?? at });
    }
  return [...found.values()];
}

type Tagged = Required<Pick<TimedImage, 'digest' | 'at' | 'found'>>;

/** The last image of each tag. */
function tagsOf(images: readonly TimedImage[]): Map<string, Tagged> {
  return new Map(
    images.flatMap(({ tag, digest, at, found = false }): [string, Tagged][] =>
      tag === null ? [] : [[tag, { digest, at, found }]],
    ),
  );
}

type Tagging = Pick<StoredImage, 'tag' | 'digest'>;

interface StateBefore {
  tags: Tagging[];
  /** Of those manifests and blobs that the repository has. */
  sizes: ReadonlyMap<string, bigint>;
}

async function stateBefore(
  tx: Connection,
  repository: string,
  { manifests, tags }: Stored,
): Promise<StateBefore> {
  const digests = [...new Set(sizedIn(manifests).map(({ digest }) => digest))];
  const [row] = await tx.$queryRaw<{ tags: Tagging[]; sizes: Record<string, number> }[]>`
    SELECT coalesce((SELECT jsonb_agg(jsonb_build_object('tag', tag, 'digest', digest)) FROM local_tags
                      WHERE repository = ${repository} AND tag = ANY (${[...tags.keys()]})), '[]') AS tags,
           coalesce((SELECT jsonb_object_agg(digest, size) FROM (${sizesOf(repository, digests)}) once), '{}') AS sizes`;
  const sizes = Object.entries(row?.sizes ?? {}).map(
    ([digest, size]) => [digest, BigInt(size)] as const,
  );
  return { tags: row?.tags ?? [], sizes: new Map(sizes) };
}

/** Manifests and what they reference; a digest may occur several times. */
function sizedIn(manifests: readonly ManifestFacts[]): { digest: string; size: number }[] {
  return manifests.flatMap(({ digest, size, contents }) => [{ digest, size }, ...contents]);
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
  const added = sizedIn(manifests).map(({ digest }) => digest);
  const beneath = await tx.$queryRaw<{ digest: string }[]>`
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
    SELECT least(coalesce(sum(size), 0), ${LARGEST})::bigint AS size FROM (${sizesOf(repository, digests)}) once`;
  return row?.size ?? 0n;
}

/** Rows of a digest and its size; two manifests may claim different ones. */
function sizesOf(repository: string, digests: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT digest, max(size) AS size FROM (
      SELECT digest, size FROM local_contents WHERE repository = ${repository} AND digest = ANY (${[...digests]})
       UNION ALL
      SELECT digest, size FROM local_manifests WHERE repository = ${repository} AND digest = ANY (${[...digests]})) every
     GROUP BY digest`;
}

/** All rows by one statement, and the sizes of indexes by another. */
async function insert(tx: Connection, repository: string, stored: Stored): Promise<void> {
  const { manifests, tags } = stored;
  const rows = manifests.map(({ contents, referrer, ...facts }) => ({
    ...facts,
    totalSize: String(totalOf(facts.size, contents)),
  }));
  const contents = manifests.flatMap(({ digest: parent, contents }) =>
    contents.map((each) => ({ ...each, parent })),
  );
  const tagged = [...tags].map(([tag, image]) => ({ tag, ...image }));
  await tx.$executeRaw`
    WITH manifest AS (
      INSERT INTO local_manifests
        (repository, digest, media_type, artifact_type, subject, size, total_size, platforms, pushed_at)
      SELECT ${repository}, digest, "mediaType", "artifactType", subject, size, least("totalSize", ${LARGEST}), platforms, at
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given
             (digest text, "mediaType" text, "artifactType" text, subject text, size int, "totalSize" numeric,
              platforms text[], at timestamptz)
      ON CONFLICT (repository, digest) DO UPDATE
         SET platforms = CASE WHEN cardinality(excluded.platforms) > 0 THEN excluded.platforms
                              ELSE local_manifests.platforms END,
             total_size = greatest(local_manifests.total_size, excluded.total_size)
       WHERE cardinality(excluded.platforms) > 0 OR excluded.total_size > local_manifests.total_size),
    content AS (
      INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
      SELECT ${repository}, parent, digest, size, "isManifest"
        FROM jsonb_to_recordset(${JSON.stringify(contents)}::jsonb) AS given
             (parent text, digest text, size bigint, "isManifest" boolean)
          ON CONFLICT DO NOTHING)
    INSERT INTO local_tags (repository, tag, digest, updated_at, found)
    SELECT ${repository}, tag, digest, at, found
      FROM jsonb_to_recordset(${JSON.stringify(tagged)}::jsonb) AS given
           (tag text, digest text, at timestamptz, found boolean)
    ON CONFLICT (repository, tag) DO UPDATE
       SET digest = excluded.digest, updated_at = excluded.updated_at, found = excluded.found`;
  await insertReferrers(tx, repository, manifests);
  await see(tx, seenIn(repository, stored));
  const subjects = manifests.flatMap(({ subject }) => subject ?? []);
  await noteSigned(tx, repository, [...subjects, ...signedBy(tags.keys())]);
  const indexes = manifests.filter(({ contents }) => contents.some(({ isManifest }) => isManifest));
  if (indexes.length > 0)
    await setTotalSizes(
      tx,
      repository,
      indexes.map(({ digest }) => digest),
    );
}

async function insertReferrers(
  tx: Connection,
  repository: string,
  manifests: readonly ManifestFacts[],
): Promise<void> {
  const data = manifests.flatMap(({ digest, mediaType, size, subject, referrer }) =>
    subject && referrer
      ? [referrerRow({ repository, digest, subject, mediaType, size, ...referrer })]
      : [],
  );
  if (data.length > 0) await tx.referrer.createMany({ data, skipDuplicates: true });
}

/** Each digest once for each tag that leads to it, and without one where no tag does. */
function seenIn(repository: string, { manifests, tags }: Stored): SeenDigest[] {
  const tagged = [...tags].map(([tag, { digest }]) => ({ repository, tag, digest }));
  const named = new Set(tagged.map(({ digest }) => digest));
  const others = manifests.filter(({ digest }) => !named.has(digest));
  return [...tagged, ...others.map(({ digest }) => ({ repository, tag: '', digest }))];
}

/** Of a manifest whose contents are blobs; it may be more than a column holds. */
function totalOf(size: number, contents: ManifestFacts['contents']): bigint {
  return sum([size, ...contents.map((each) => each.size)].map(BigInt));
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
