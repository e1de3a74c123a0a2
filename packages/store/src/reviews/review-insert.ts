/** Inserts a review request: each with the next number, and none twice. */
import { askedIds, MOST_OPEN_REVIEWS, storableText } from '@portcullis/domain';
import { conflict, notFound } from '@portcullis/errors';
import { type Connection, type Database, inTransaction } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { DetailedReview, NewReview } from './records.ts';
import { inState } from './review-list.ts';
import { toDetailed, WITH_NAMES } from './review-row.ts';

/** @throws not_found `FOLDER_UNKNOWN`, `JOB_UNKNOWN`; conflict `REVIEW_OPEN`, `REVIEWS_MANY` */
export function insertReview(db: Database, wanted: NewReview, now: Date): Promise<DetailedReview> {
  return inTransaction(db, async (tx) => {
    const folderId = await folderIdOf(tx, wanted);
    await assertJob(tx, wanted);
    await assertRoom(tx, wanted, now);
    await assertNew(tx, { wanted, folderId, now });
    const data = { ...columnsOf(wanted, folderId), number: await nextNumber(tx), createdAt: now };
    return toDetailed(await tx.review.create({ data, include: WITH_NAMES }));
  });
}

async function folderIdOf(
  tx: Connection,
  { destination: { kind, folder } }: NewReview,
): Promise<string | null> {
  if (kind !== 'local') return null;
  const found = await tx.folder.findUnique({ where: { name: folder ?? '' } });
  if (!found) throw notFound('FOLDER_UNKNOWN', 'there is no such folder');
  return found.id;
}

/** It stays until the transaction ends. */
async function assertJob(tx: Connection, { jobId }: NewReview): Promise<void> {
  if (jobId === null) return;
  const found = await tx.$queryRaw<object[]>`
    SELECT id FROM staging_jobs WHERE id = ${jobId}::uuid FOR KEY SHARE`;
  if (found.length === 0) throw notFound('JOB_UNKNOWN', 'There is no job with this id.');
}

/** Locks the account until the transaction ends. */
async function assertRoom(tx: Connection, { requestedBy }: NewReview, now: Date): Promise<void> {
  await lock(tx, `reviews of ${requestedBy.id}`);
  const where = { AND: [{ requestedById: requestedBy.id }, inState('open', now)] };
  const open = await tx.review.count({ where });
  if (open < MOST_OPEN_REVIEWS) return;
  throw conflict(
    'REVIEWS_MANY',
    `At most ${MOST_OPEN_REVIEWS} requests of an account wait for a decision.`,
    { detail: { open, most: MOST_OPEN_REVIEWS } },
  );
}

interface Asked {
  wanted: NewReview;
  folderId: string | null;
  now: Date;
}

/** Locks the image at its destination until the transaction ends. */
async function assertNew(tx: Connection, { wanted, folderId, now }: Asked): Promise<void> {
  const { image, destination } = wanted;
  const { registryId, repository } = destination;
  const place = folderId === null ? { registryId, repository } : { folderId };
  await lock(tx, `review ${image.digest} ${JSON.stringify(place)}`);
  const where = { AND: [{ digest: image.digest, ...place }, inState('open', now)] };
  const open = await tx.review.findFirst({ where, select: { number: true } });
  if (!open) return;
  const { number } = open;
  throw conflict('REVIEW_OPEN', `Request #${number} asks for this image there already.`, {
    detail: { number },
  });
}

async function lock(tx: Connection, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${name}))`;
}

/** A row, so that a backup has it; a transaction that fails uses no number. */
async function nextNumber(tx: Connection): Promise<number> {
  const { last } = await tx.reviewCounter.upsert({
    where: { id: 1 },
    create: { last: 1 },
    update: { last: { increment: 1 } },
  });
  return last;
}

function columnsOf(wanted: NewReview, folderId: string | null) {
  const { image, destination, findings, requestedBy, push } = wanted;
  return {
    jobId: wanted.jobId,
    digest: image.digest,
    sourceRegistryId: image.registryId,
    sourceHost: image.host,
    image: image.repository,
    tag: image.tag,
    kind: destination.kind,
    folderId,
    registryId: destination.kind === 'local' ? null : destination.registryId,
    host: destination.host,
    repository: destination.repository,
    targetTag: destination.tag,
    findings: json(findings),
    vulnerabilities: askedIds(wanted),
    sightedAt: wanted.age?.sightedAt ?? null,
    waitsUntil: wanted.age?.waitsUntil ?? null,
    ...(wanted.signatures && { signatures: json(wanted.signatures) }),
    counts: json(wanted.counts),
    reason: wanted.reason,
    ticket: wanted.ticket,
    until: wanted.until,
    pushState: push?.state ?? null,
    requestedById: requestedBy.id,
    searchText: searchTextOf(wanted),
    endsAt: wanted.endsAt,
  };
}

function searchTextOf({ image, destination, reason, ticket, requestedBy }: NewReview): string {
  const words = [
    `${image.host}/${image.repository}:${image.tag}`,
    `${destination.host}/${destination.repository}:${destination.tag}`,
    requestedBy.username,
    ticket ?? '',
    reason,
  ];
  return storableText(words.join(' ').toLowerCase());
}
