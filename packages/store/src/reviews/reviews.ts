/** Stores review requests, their threads and their decisions. */
import { type Database, must, run } from '../database.ts';
import type {
  DetailedReview,
  DueReviewPushes,
  EarlierQuestion,
  LeftWaiver,
  NewReview,
  NewReviewComment,
  ReviewEvents,
  ReviewFilter,
  SettledReviewPush,
  StoredReview,
} from './records.ts';
import { addComment, listComments } from './review-comments.ts';
import { saveReview, settlePush, takeDuePushes, takeExpired } from './review-decisions.ts';
import { earlierDecisions, participantsOf, placesIn, reviewersOf } from './review-facts.ts';
import { insertReview } from './review-insert.ts';
import { countReviews, listReviews, waitingReviews } from './review-list.ts';
import { toDetailed, toReview, WITH_NAMES, WITHOUT_FINDINGS } from './review-row.ts';

const MISSING: [string, string] = ['REVIEW_UNKNOWN', 'there is no such request'];
const MOST_OF_JOB = 20;

export function createReviews(db: Database) {
  async function find(number: number): Promise<DetailedReview | null> {
    const row = await run(() => db.review.findUnique({ where: { number }, include: WITH_NAMES }));
    return row && toDetailed(row);
  }

  return {
    find,
    get: async (number: number): Promise<DetailedReview> => must(await find(number), ...MISSING),
    /** The newest first; the cursor is the last number. @throws invalid `CURSOR_INVALID` */
    list: (filter: ReviewFilter, now: Date) => listReviews(db, filter, now),
    count: (filter: Omit<ReviewFilter, 'limit' | 'cursor'>, now: Date) =>
      countReviews(db, filter, now),
    waiting: (filter: Omit<ReviewFilter, 'limit' | 'cursor'>, now: Date) =>
      waitingReviews(db, filter, now),
    /** Those of a job, the newest first; at most 20. */
    async ofJob(jobId: string): Promise<StoredReview[]> {
      const rows = await run(() =>
        db.review.findMany({
          where: { jobId },
          include: WITH_NAMES,
          omit: WITHOUT_FINDINGS,
          orderBy: { number: 'desc' },
          take: MOST_OF_JOB,
        }),
      );
      return rows.map(toReview);
    },
    /** @throws not_found `FOLDER_UNKNOWN`; conflict `REVIEW_OPEN`, `REVIEWS_MANY` */
    insertReview: (wanted: NewReview, now: Date) => insertReview(db, wanted, now),
    /**
     * Saves state, approvals, push and closing, and inserts the waivers, in one transaction.
     * @throws conflict `REVIEW_CHANGED` after another change
     */
    save: (review: StoredReview, left: readonly LeftWaiver[] = []) => saveReview(db, review, left),
    comments: (number: number) => listComments(db, number),
    /** @throws conflict `REVIEW_COMMENTS_MANY` */
    addComment: (number: number, comment: NewReviewComment) => addComment(db, number, comment),
    /** Ends open requests past their time, at most 200, with their events. */
    takeExpired: (now: Date, eventsOf: ReviewEvents) => takeExpired(db, now, eventsOf),
    /** Requests whose push is due, under a lease. */
    takeDuePushes: (order: DueReviewPushes) => takeDuePushes(db, order),
    /** False where the push was no longer due. */
    settlePush: (number: number, settled: SettledReviewPush) => settlePush(db, number, settled),
    /** People who may decide about an open request of another account; at most 200. */
    reviewersOf: (number: number) => reviewersOf(db, number),
    /** Accounts that take part in the thread, but this one; at most 200. */
    participantsOf: (number: number, but: string | null) => participantsOf(db, number, but),
    /** Decisions about these vulnerabilities in other requests; at most 5 of each. */
    earlierDecisions: (asked: EarlierQuestion) => earlierDecisions(db, asked),
    /** Where the image is tagged in the folder now; at most 100 repositories. */
    placesIn: (digest: string, folder: string) => placesIn(db, digest, folder),
  };
}
