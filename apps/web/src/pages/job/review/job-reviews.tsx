/** The review requests about a job, each with its destination and what became of it. */
import { Anchor } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { ReviewState } from '../../reviews/review-state.tsx';
import classes from '../job.module.css';
import type { JobReview } from './approved-review.ts';

const NO_REVIEWS: readonly JobReview[] = [];
const MOST_LISTED = 5;

export const reviewsOf = ({ reviews }: Job): readonly JobReview[] => reviews ?? NO_REVIEWS;

export const reviewPlace = ({ folder, repository }: JobReview): string => folder ?? repository;

export function JobReviews({ job }: { job: Job }) {
  const t = useMessages('reviewRequest');
  const { pushStates } = useMessages('reviews');
  const reviews = reviewsOf(job);
  if (reviews.length === 0) return null;
  return (
    <ul className={classes.reviews} aria-label={t.ofJob}>
      {reviews.slice(0, MOST_LISTED).map((review) => (
        <li key={review.number}>
          <Anchor component={Link} to={`/reviews?show=all&open=${review.number}`}>
            {t.line(String(review.number), reviewPlace(review))}
          </Anchor>
          <ReviewState state={review.state} />
          {review.comment !== null && (
            <q>
              <bdi>{review.comment}</bdi>
            </q>
          )}
          {review.push && review.push.state !== 'dropped' && (
            <span>{pushStates[review.push.state]}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
