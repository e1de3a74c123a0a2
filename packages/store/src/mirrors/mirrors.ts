/**
 * Stores what is known of the tags of mirrors, and when digests were first seen under a tag. Times
 * are the database's, so that the clocks of processes do not matter.
 */
import type { AuditEvent } from '@portcullis/domain';
import {
  type BringIn,
  hostOfMirror,
  type Mirror,
  type MirrorTag,
  mirrorsByFolder,
  type UpstreamAnswer,
} from '@portcullis/domain/mirror';
import type { Sealer } from '@portcullis/runtime';
import { putReady, withEvent } from '../audit/outbox.ts';
import { type Connection, type Database, inTransaction, isId, Prisma, run } from '../database.ts';
import { firstSighting, seeing } from '../images/sightings.ts';
import { countByStatus, insertJob } from '../jobs/job-insert.ts';
import { json } from '../jobs/job-row.ts';
import type { NewJob } from '../jobs/new-job.ts';
import { countMirrorTags, listMirrorTags, SOURCE } from './mirror-tag-list.ts';
import type {
  ConfirmedTag,
  KnownMirrorTag,
  KnownReference,
  MirrorReference,
  MirrorTagFilter,
} from './records.ts';

type CountedJobs = {
  countByStatus(filter?: { ownerId?: string }): ReturnType<typeof countByStatus>;
};

export function createMirrors(db: Database, sealer: Sealer) {
  return {
    /** Every mirror, by the name of its folder. */
    all: () => all(db),
    byFolder: async () => mirrorsByFolder(await all(db)),
    find: (place: MirrorReference) => find(db, place),
    /** Numbered pages of the tags of a mirror. */
    tags: (filter: MirrorTagFilter) => listMirrorTags(db, filter),
    figures: (folder: string) => countMirrorTags(db, folder),
    /** The last jobs that were to bring in these digests, by digest. */
    jobsOf: (repository: string, digests: readonly string[]) => jobsOf(db, repository, digests),
    /** What a job was made for; null where it brings in nothing. */
    ofJob: (jobId: string) => ofJob(db, jobId),
    /** Keeps an answer of the upstream, and for a tag the sighting of its digest. */
    answered: (
      place: MirrorReference,
      options: { answer: UpstreamAnswer; isTag: boolean; dueSeconds: number },
    ) => keepAnswer(db, place, options),
    /** Keeps that the upstream of these tags answered as before. */
    confirmed: (tags: readonly ConfirmedTag[]) => keepConfirmed(db, tags),
    /**
     * Takes the check of a reference that is due: of many processes one gets it, for `seconds`.
     * True also where nothing is kept of it.
     */
    claimCheck: (place: MirrorReference, seconds: number) => claimCheck(db, place, seconds),
    /**
     * Sets the job that brings a reference in, under the lock of its row: of many callers one
     * makes it. `decide` gets what is known now; null keeps the present job.
     * @returns the job, and whether it is new; null where there is none
     */
    bringIn: (
      place: MirrorReference,
      decide: (known: KnownReference, jobs: CountedJobs) => Promise<NewJob | null>,
      event: (jobId: string) => AuditEvent,
    ) => bringIn({ db, sealer }, place, { decide, event }),
    /**
     * The newest digest that the tag led to before the upstream's newest and that was seen for so
     * long; null where there is none after `after` that was not tried.
     */
    ripe: (place: MirrorReference, asked: { minAgeHours: number; after: string | null }) =>
      ripe(db, place, asked),
    /** Keeps what passed: the digest here, and the one at the upstream that it is a copy of. */
    async passed(
      { repository, reference }: MirrorReference,
      { goodDigest, goodSource }: { goodDigest: string; goodSource: string },
    ): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE mirror_tags SET good_digest = ${goodDigest}, good_source = ${goodSource}, good_at = now()
           WHERE repository = ${repository} AND reference = ${reference}
             AND (good_digest, good_source) IS DISTINCT FROM (${goodDigest}, ${goodSource})`,
      );
    },
    /**
     * Records the event once for each change, by its mark: the digest of the upstream, or
     * `withdrawn`. What the upstream has changed since is not recorded.
     */
    announce: (
      { repository, reference }: MirrorReference,
      mark: string,
      event: AuditEvent,
    ): Promise<boolean> =>
      withEvent(db, event, async (tx) => {
        const written = await tx.$executeRaw`
          UPDATE mirror_tags t SET announced = ${mark}
           WHERE repository = ${repository} AND reference = ${reference}
             AND announced IS DISTINCT FROM ${mark} AND ${PRESENT_MARK} = ${mark}`;
        return written === 1;
      }),
    /** Tags that are here and serve their last good image, of which that is not recorded. */
    held: (limit: number) => heldTags(db, limit),
    /** Notes a pull: of any digest, and of the tag that leads to it. */
    async used({ repository, reference }: MirrorReference): Promise<void> {
      const isDigest = reference.includes(':');
      await run(
        () => db.$executeRaw`
          WITH digest AS (
            INSERT INTO mirror_tags (repository, reference)
            SELECT ${repository}, ${reference} WHERE ${isDigest}
            ON CONFLICT (repository, reference) DO UPDATE SET used_at = now())
          UPDATE mirror_tags SET used_at = now()
           WHERE repository = ${repository}
             AND CASE WHEN ${isDigest} THEN good_digest = ${reference} AND reference <> ${reference}
                      ELSE reference = ${reference} END`,
      );
    },
    /**
     * Takes the checks of tags of mirrors that are here, in use, and due, the longest due first: of
     * each registry as many as are left of `perMinute` after those that all processes took in this
     * minute. Of many processes one gets each, for `seconds`.
     */
    claimDue: (perMinute: number, seconds: number) => claimDue(db, perMinute, seconds),
    /** The check of a reference is due in `seconds` at the earliest. */
    async postpone({ repository, reference }: MirrorReference, seconds: number): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE mirror_tags SET due_at = now() + ${seconds} * interval '1 second'
           WHERE repository = ${repository} AND reference = ${reference}`,
      );
    },
    /** When the tags of a repository were last pulled. */
    async uses(repository: string): Promise<Map<string, Date>> {
      const where = { repository };
      const select = { reference: true, usedAt: true } as const;
      const rows = await run(() => db.mirrorTag.findMany({ where, select }));
      return new Map(rows.map(({ reference, usedAt }) => [reference, usedAt]));
    },
    /** Forgets references that have not been pulled for so long and are not here. */
    forget: (folder: string, keepDays: number) => forget(db, folder, keepDays),
  };
}

/** Of what the upstream last said of a tag `t`: as the domain's `markOf`. */
const PRESENT_MARK = Prisma.sql`
  CASE WHEN (t.fault ->> 'gone')::boolean THEN 'withdrawn' ELSE t.upstream_digest END`;

async function all(db: Database): Promise<Mirror[]> {
  const include = {
    folder: { select: { name: true } },
    registry: { select: { host: true, name: true } },
  };
  const rows = await run(() =>
    db.mirror.findMany({ include, orderBy: { folder: { name: 'asc' } } }),
  );
  return rows.map(({ folder, registry, ...mirror }) => ({
    ...mirror,
    folder: folder.name,
    host: hostOfMirror(registry?.host ?? null),
    registryName: registry?.name ?? null,
  }));
}

const TAG = Prisma.sql`
  t.upstream_digest AS "upstreamDigest", t.good_digest AS "goodDigest", t.good_source AS "goodSource",
  t.ripe_digest AS "ripeDigest", t.fault, t.job_id::text AS "jobId", t.requested_by_id::text AS "requestedById", t.announced,
  t.due_at <= now() AS "isDue"`;
const JOB = Prisma.sql`
  j.status, j.error, j.source_digest AS "sourceDigest", j.verdict,
  coalesce(j.pushes -> -1 ->> 'digest', j.digest) AS digest,
  j.owner_id::text AS "ownerId", j.updated_at AS "updatedAt"`;

type Row = { here: string | null; known: string | null } & MirrorTag &
  Omit<NonNullable<KnownReference['job']>, 'id' | 'status'> & { status: BringIn['status'] | null };

async function find(db: Connection, place: MirrorReference): Promise<KnownReference> {
  const { repository, reference } = place;
  const [row] = await run(
    () => db.$queryRaw<Row[]>`
      SELECT coalesce(l.digest, m.digest) AS here, t.reference AS known, ${TAG}, ${JOB}
        FROM (SELECT ${repository}::text AS repository, ${reference}::text AS reference) asked
        LEFT JOIN local_tags l ON l.repository = asked.repository AND l.tag = asked.reference
        LEFT JOIN local_manifests m ON m.repository = asked.repository AND m.digest = asked.reference
        LEFT JOIN mirror_tags t ON t.repository = asked.repository AND t.reference = asked.reference
        LEFT JOIN staging_jobs j ON j.id = t.job_id`,
  );
  return row ? knownIn(row, place) : { here: null, tag: null, job: null };
}

function knownIn(row: Row, place: MirrorReference): KnownReference {
  const { here, known } = row;
  return { here, tag: known === null ? null : tagOf(row, place), job: jobOf(row) };
}

function tagOf(row: Row, place: MirrorReference): MirrorTag {
  const { upstreamDigest, goodDigest, goodSource, ripeDigest, fault, jobId } = row;
  const { requestedById, announced, isDue } = row;
  const known = { upstreamDigest, goodDigest, goodSource, ripeDigest, fault };
  return { ...place, ...known, jobId, requestedById, announced, isDue };
}

function jobOf({ jobId: id, status, ownerId, error, ...row }: Row): KnownReference['job'] {
  if (id === null || status === null) return null;
  const { sourceDigest, digest, verdict, updatedAt } = row;
  return { id, status, ownerId, error, sourceDigest, digest, verdict, updatedAt };
}

async function jobsOf(
  db: Database,
  repository: string,
  digests: readonly string[],
): Promise<Map<string, NonNullable<KnownReference['job']>>> {
  if (digests.length === 0) return new Map();
  const rows = await run(
    () => db.$queryRaw<(Row & { reference: string })[]>`
      SELECT t.reference, ${TAG}, ${JOB} FROM mirror_tags t JOIN staging_jobs j ON j.id = t.job_id
       WHERE t.repository = ${repository} AND t.reference = ANY (${[...digests]})`,
  );
  return new Map(
    rows.flatMap((row) => {
      const job = jobOf(row);
      return job ? [[row.reference, job] as const] : [];
    }),
  );
}

async function ofJob(
  db: Database,
  jobId: string,
): Promise<{ mirror: Mirror | null; tag: MirrorTag | null }> {
  const none = { mirror: null, tag: null };
  if (!isId(jobId)) return none;
  const row = await run(() => db.mirrorTag.findFirst({ where: { jobId } }));
  if (!row) return none;
  const { repository, reference } = row;
  const folder = repository.slice(0, repository.indexOf('/'));
  const mirror = (await all(db)).find((each) => each.folder === folder) ?? null;
  return { mirror, tag: (await find(db, { repository, reference })).tag };
}

async function keepAnswer(
  db: Database,
  { repository, reference }: MirrorReference,
  { answer, isTag, dueSeconds }: { answer: UpstreamAnswer; isTag: boolean; dueSeconds: number },
): Promise<void> {
  const digest = 'digest' in answer ? answer.digest : null;
  const fault = 'fault' in answer ? JSON.stringify(json(answer.fault)) : null;
  const due = Prisma.sql`now() + ${dueSeconds} * interval '1 second'`;
  const seen = digest === null || !isTag ? [] : [{ repository, tag: reference, digest }];
  await run(
    () => db.$executeRaw`
      WITH seen AS (${seeing(seen)}),
      answered AS (
        DELETE FROM mirror_attempts
         WHERE repository = ${repository} AND reference = ${reference} AND ${digest}::text IS NOT NULL)
      INSERT INTO mirror_tags AS t (repository, reference, upstream_digest, fault, checked_at, due_at)
      VALUES (${repository}, ${reference}, ${digest}, ${fault}::jsonb, now(), ${due})
      ON CONFLICT (repository, reference) DO UPDATE
         SET upstream_digest = coalesce(excluded.upstream_digest, t.upstream_digest),
             fault = excluded.fault, checked_at = now(), due_at = excluded.due_at,
             announced = CASE WHEN ${IS_ANOTHER} THEN NULL ELSE t.announced END`,
  );
}

async function keepConfirmed(db: Database, tags: readonly ConfirmedTag[]): Promise<void> {
  if (tags.length === 0) return;
  const seen = tags.map(({ repository, reference: tag, digest }) => ({ repository, tag, digest }));
  await run(
    () => db.$executeRaw`
      WITH seen AS (${seeing(seen)})
      UPDATE mirror_tags t
         SET checked_at = now(), due_at = now() + given."dueSeconds" * interval '1 second'
        FROM jsonb_to_recordset(${JSON.stringify(tags)}::jsonb)
             AS given (repository text, reference text, digest text, "dueSeconds" integer)
       WHERE t.repository = given.repository AND t.reference = given.reference
         AND t.upstream_digest = given.digest`,
  );
}

/** What is changed back, and then again, is another change. */
const IS_ANOTHER = Prisma.sql`
  (excluded.fault IS NULL
   AND (excluded.upstream_digest IS DISTINCT FROM t.upstream_digest OR t.announced = 'withdrawn'))`;

async function claimCheck(
  db: Database,
  { repository, reference }: MirrorReference,
  seconds: number,
): Promise<boolean> {
  const [row] = await run(
    () => db.$queryRaw<{ claimed: boolean }[]>`
      WITH claimed AS (
        UPDATE mirror_tags SET due_at = now() + ${seconds} * interval '1 second'
         WHERE repository = ${repository} AND reference = ${reference} AND due_at <= now()
        RETURNING 1)
      SELECT EXISTS (SELECT FROM claimed) OR NOT EXISTS (
        SELECT FROM mirror_tags WHERE repository = ${repository} AND reference = ${reference}
      ) AS claimed`,
  );
  return row?.claimed ?? true;
}

async function bringIn(
  { db, sealer }: { db: Database; sealer: Sealer },
  place: MirrorReference,
  {
    decide,
    event,
  }: {
    decide: (known: KnownReference, jobs: CountedJobs) => Promise<NewJob | null>;
    event: (jobId: string) => AuditEvent;
  },
): Promise<{ jobId: string; isNew: boolean } | null> {
  const { repository, reference } = place;
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`
      INSERT INTO mirror_tags (repository, reference) VALUES (${repository}, ${reference})
      ON CONFLICT DO NOTHING`;
    await tx.$executeRaw`
      SELECT FROM mirror_tags
       WHERE repository = ${repository} AND reference = ${reference} FOR UPDATE`;
    const known = await find(tx, place);
    const counted: CountedJobs = { countByStatus: (filter) => countByStatus(tx, filter) };
    const wanted = await decide(known, counted);
    if (!wanted) return known.job && { jobId: known.job.id, isNew: false };
    const { id, ownerId } = await insertJob(tx, sealer, wanted);
    const where = { repository_reference: place };
    const ripe = ripeIn(wanted, known);
    await tx.mirrorTag.update({ where, data: { jobId: id, requestedById: ownerId, ...ripe } });
    await putReady(tx, [event(id)]);
    return { jobId: id, isNew: true };
  });
}

/** A job for another digest than the upstream's newest is for one that is old enough. */
function ripeIn({ sourceDigest }: NewJob, { tag }: KnownReference): { ripeDigest?: string } {
  const newest = tag?.upstreamDigest ?? sourceDigest;
  return sourceDigest && sourceDigest !== newest ? { ripeDigest: sourceDigest } : {};
}

/** Each is tried once: what was seen before the last one is not looked at. */
async function ripe(
  db: Database,
  { repository, reference }: MirrorReference,
  { minAgeHours, after }: { minAgeHours: number; after: string | null },
): Promise<string | null> {
  const firstHere = (digest: Prisma.Sql) => Prisma.sql`
    coalesce((SELECT first FROM sightings h WHERE h.repository = s.repository AND h.tag = s.tag
                 AND h.digest = ${digest}), '-infinity')`;
  const [row] = await run(
    () => db.$queryRaw<{ digest: string }[]>`
      SELECT s.digest FROM sightings s
        JOIN mirror_tags t ON t.repository = s.repository AND t.reference = s.tag
       WHERE s.repository = ${repository} AND s.tag = ${reference}
         AND s.digest IS DISTINCT FROM t.upstream_digest
         AND s.first > ${firstHere(Prisma.sql`${after}`)}
         AND s.first > ${firstHere(Prisma.sql`t.ripe_digest`)}
         AND ${firstSighting(Prisma.sql`s.digest`)} <= now() - ${minAgeHours} * interval '1 hour'
       ORDER BY s.first DESC LIMIT 1`,
  );
  return row?.digest ?? null;
}

async function claimDue(
  db: Database,
  perMinute: number,
  seconds: number,
): Promise<KnownMirrorTag[]> {
  const rows = await run(
    () => db.$queryRaw<TagRow[]>`
      WITH of AS (
        SELECT f.name AS folder, m.registry_id, m.keep_days
          FROM mirrors m JOIN folders f ON f.id = m.folder_id),
      asked AS (
        SELECT of.registry_id, count(*) AS number
          FROM mirror_tags t JOIN of ON of.folder = split_part(t.repository, '/', 1)
         WHERE t.checked_at > now() - interval '1 minute' GROUP BY of.registry_id),
      due AS (
        SELECT t.repository, t.reference, t.due_at, of.folder, of.registry_id,
               row_number() OVER (PARTITION BY of.registry_id ORDER BY t.due_at) AS nth
          FROM mirror_tags t
          JOIN of ON of.folder = split_part(t.repository, '/', 1)
          JOIN local_tags l ON l.repository = t.repository AND l.tag = t.reference
         WHERE t.due_at <= now() AND t.used_at > now() - of.keep_days * interval '1 day'),
      claimed AS (
        UPDATE mirror_tags t
           SET due_at = now() + ${seconds} * interval '1 second', checked_at = now()
          FROM due LEFT JOIN asked ON asked.registry_id IS NOT DISTINCT FROM due.registry_id
         WHERE due.nth <= ${perMinute} - coalesce(asked.number, 0)
           AND t.repository = due.repository AND t.reference = due.reference AND t.due_at <= now()
        RETURNING t.repository, t.reference, due.folder, due.due_at AS since)
      SELECT c.repository, c.reference, c.folder, l.digest AS here, t.reference AS known, ${TAG}, ${JOB}
        FROM claimed c
        JOIN local_tags l ON l.repository = c.repository AND l.tag = c.reference
        JOIN mirror_tags t ON t.repository = c.repository AND t.reference = c.reference
        LEFT JOIN staging_jobs j ON j.id = t.job_id
       ORDER BY c.since`,
  );
  return rows.map(knownTag);
}

type TagRow = Row & { folder: string };

function knownTag(row: TagRow): KnownMirrorTag {
  const { repository, reference, folder } = row;
  const place = { repository, reference };
  return { ...place, folder, known: knownIn(row, place) };
}

/**
 * Before the domain decides: those that are held back as far as the columns say (`isHeldBack`), or
 * withdrawn.
 */
async function heldTags(db: Database, limit: number): Promise<KnownMirrorTag[]> {
  const rows = await run(
    () => db.$queryRaw<TagRow[]>`
      SELECT t.repository, t.reference, f.name AS folder, l.digest AS here, t.reference AS known, ${TAG}, ${JOB}
        FROM mirrors m
        JOIN folders f ON f.id = m.folder_id
        JOIN mirror_tags t ON split_part(t.repository, '/', 1) = f.name
        JOIN local_tags l ON l.repository = t.repository AND l.tag = t.reference
        LEFT JOIN staging_jobs j ON j.id = t.job_id
       WHERE ${PRESENT_MARK} IS DISTINCT FROM t.announced
         AND CASE WHEN t.fault IS NOT NULL THEN (t.fault ->> 'gone')::boolean
                  ELSE t.upstream_digest <> ${SOURCE}
                       AND (j.source_digest = t.ripe_digest
                            OR j.source_digest = t.upstream_digest AND j.status = 'failed') END
       LIMIT ${limit}`,
  );
  return rows.map(knownTag);
}

async function forget(db: Database, folder: string, keepDays: number): Promise<void> {
  await run(
    () => db.$executeRaw`
      DELETE FROM mirror_tags t
       WHERE starts_with(t.repository, ${`${folder}/`})
         AND t.used_at < now() - ${keepDays} * interval '1 day'
         AND NOT EXISTS (SELECT FROM local_tags l
                          WHERE l.repository = t.repository AND l.tag = t.reference)`,
  );
}
