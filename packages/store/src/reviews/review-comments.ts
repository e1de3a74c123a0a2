/** The threads of review requests. */
import { MOST_REVIEW_COMMENTS, storableText } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import { type Connection, type Database, inTransaction, run } from '../database.ts';
import type { NewReviewComment, ReviewComment } from './records.ts';

/** Oldest first. */
export function listComments(db: Database, number: number): Promise<ReviewComment[]> {
  return run(() =>
    db.reviewComment.findMany({
      where: { reviewNumber: number },
      omit: { reviewNumber: true },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  );
}

/** @throws conflict `REVIEW_COMMENTS_MANY` */
export function addComment(
  db: Database,
  number: number,
  comment: NewReviewComment,
): Promise<ReviewComment> {
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM reviews WHERE number = ${number} FOR UPDATE`;
    const written = await tx.reviewComment.count({ where: { reviewNumber: number } });
    if (written >= MOST_REVIEW_COMMENTS)
      throw conflict(
        'REVIEW_COMMENTS_MANY',
        `A request has at most ${MOST_REVIEW_COMMENTS} comments.`,
      );
    return insertComment(tx, number, comment);
  });
}

export function insertComment(
  tx: Connection,
  number: number,
  { author, text, code }: NewReviewComment,
): Promise<ReviewComment> {
  return tx.reviewComment.create({
    data: {
      reviewNumber: number,
      authorId: author?.id ?? null,
      username: author?.username ?? null,
      text: storableText(text),
      code: code ?? null,
    },
    omit: { reviewNumber: true },
  });
}
