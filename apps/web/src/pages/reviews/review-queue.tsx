/** The queue of review requests, from which one is shown beside it. */
import { Kbd } from '@mantine/core';
import type { Review } from '@portcullis/contract';
import { useEffect, useRef } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { AskedFacts } from './asked-facts.tsx';
import { destinationName, imageName } from './review-names.ts';
import { ReviewState } from './review-state.tsx';
import classes from './reviews.module.css';

interface ReviewQueueProps {
  reviews: readonly Review[];
  current: number | null;
  onOpen(number: number): void;
}

export function ReviewQueue({ reviews, current, onOpen }: ReviewQueueProps) {
  const t = useMessages('reviews');
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (current !== null) chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <>
      <ul className={classes.queue}>
        {reviews.map((review) => (
          <li key={review.number}>
            <button
              type="button"
              className={classes.entry}
              ref={review.number === current ? chosen : undefined}
              aria-current={review.number === current || undefined}
              onClick={() => onOpen(review.number)}
            >
              <Entry review={review} />
            </button>
          </li>
        ))}
      </ul>
      <span className={`${classes.quiet} ${classes.hint}`}>
        <Kbd>J</Kbd> {t.keys.next} · <Kbd>K</Kbd> {t.keys.previous} · <Kbd>C</Kbd> {t.keys.comment}
      </span>
    </>
  );
}

function Entry({ review }: { review: Review }) {
  const t = useMessages('reviews');
  const { number, image, destination, requested_by, state, created_at } = review;
  return (
    <>
      <span className={classes.entryHead}>
        <b>{imageName(image)}</b>
        <span className={classes.quiet}>{t.number(String(number))}</span>
      </span>
      <span className={classes.quiet}>
        {t.asks(requested_by.username, destinationName(destination))} ·{' '}
        <RelativeTime at={created_at} />
      </span>
      <span className={classes.entryFacts}>
        {state !== 'open' && <ReviewState state={state} />}
        <AskedFacts review={review} />
        {review.approvals.length > 0 && state === 'open' && (
          <span className={classes.quiet}>
            {t.approvals(review.approvals.length, review.approvals_needed)}
          </span>
        )}
      </span>
    </>
  );
}
