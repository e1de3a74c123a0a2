/**
 * One review request: who asks for which image, where it goes, what blocks it, and the decision.
 */
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReviewDetail as Detail } from '@portcullis/contract';
import { IconArrowLeft } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { type Fact, FactList } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { Digest } from '../../kit/text/digest.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useAccount } from '../../session/account.ts';
import { folderPath } from '../folders/folder-location.ts';
import { firstSelection } from './queue-order.ts';
import { NoDecision, ReviewDecision } from './review-decision.tsx';
import { ReviewFindings } from './review-findings.tsx';
import {
  destinationReference,
  imageName,
  isOfRegistry,
  sourceName,
  subjectPath,
} from './review-names.ts';
import { ReviewState } from './review-state.tsx';
import { ReviewThread } from './review-thread.tsx';
import classes from './reviews.module.css';

interface ReviewDetailProps {
  number: number;
  /** After a decision. */
  onDecided(number: number): void;
  /** Where the queue is not beside it. */
  onBack?: (() => void) | undefined;
}

export function ReviewDetail({ number, onDecided, onBack }: ReviewDetailProps) {
  const t = useMessages('reviews');
  const review = useAnswer('reviews.get', { params: { number } });
  return (
    <article className={classes.detail} ref={useShownFromTop()}>
      {onBack && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} />}
          onClick={onBack}
        >
          {t.back}
        </Button>
      )}
      {!review.data && <NoDecision number={number} />}
      <QueryView query={review} rows={5} rowHeight={72}>
        {(found) => (
          <OneReview review={found} isAlone={!!onBack} onDecided={() => onDecided(number)} />
        )}
      </QueryView>
    </article>
  );
}

/** The next request begins at its head, however far the one before was scrolled. */
function useShownFromTop() {
  const article = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const top = article.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) article.current?.scrollIntoView({ block: 'start' });
  }, []);
  return article;
}

interface OneReviewProps {
  review: Detail;
  /** Whether it is the page. */
  isAlone: boolean;
  onDecided(): void;
}

function OneReview({ review, isAlone, onDecided }: OneReviewProps) {
  const t = useMessages('reviews');
  const [selected, setSelected] = useState(() => firstSelection(review));
  return (
    <Stack gap="lg">
      <Head review={review} isAlone={isAlone} />
      {review.changed && (
        <Alert color="yellow" variant="light">
          {t.changed[review.changed]}
        </Alert>
      )}
      <FactList facts={useFacts(review)} />
      <ReviewFindings
        review={review}
        selected={selected}
        onSelect={review.may.decide ? setSelected : undefined}
      />
      <FactList facts={useOtherFacts(review)} />
      <ReviewThread review={review} />
      <ReviewDecision review={review} selected={selected} onDecided={onDecided} />
    </Stack>
  );
}

function Head({ review, isAlone }: Pick<OneReviewProps, 'review' | 'isAlone'>) {
  const [t, format] = useWords('reviews');
  const { number, state, image, job_id, closed } = review;
  const subject = subjectPath(review, useAccount());
  return (
    <header>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={isAlone ? 1 : 2} size="h2">
          {imageName(image)} <span className={classes.quiet}>{t.number(String(number))}</span>
        </Title>
        <Group gap="xs">
          <ReviewState state={state} />
          {subject && (
            <Anchor component={Link} to={subject}>
              {job_id === null ? t.image : t.job}
            </Anchor>
          )}
        </Group>
      </Group>
      {closed && (
        <Text size="sm">
          {t.closedBy(
            t.states[state],
            closed.by.username ?? t.deletedAccount,
            format.dateTime(closed.at),
          )}
          {closed.comment !== null && `${format.colon}${closed.comment}`}
        </Text>
      )}
    </header>
  );
}

function useFacts(review: Detail): Fact[] {
  const [t, format] = useWords('reviews');
  const { image, destination, requested_by, created_at, state } = review;
  return [
    [
      t.requestedBy,
      <span key="by">
        {requested_by.username}, <RelativeTime at={created_at} />
      </span>,
    ],
    [
      t.reason,
      <span key="reason" className={classes.reason}>
        {review.reason}
      </span>,
    ],
    [t.ticket, review.ticket],
    [t.source, sourceName(image)],
    [
      t.destination,
      destination.folder === null ? (
        destinationReference(destination)
      ) : (
        <Anchor key="to" component={Link} to={folderPath(destination.folder)} underline="always">
          {destinationReference(destination)}
        </Anchor>
      ),
    ],
    [t.gate, <Gate key="gate" review={review} />],
    [t.covers, review.covers && <Covers key="covers" review={review} covers={review.covers} />],
    [
      isApproved(state) ? t.until : t.askedUntil,
      <span key="until">
        {format.dateTime(review.until)} (<RelativeTime at={review.until} />)
      </span>,
    ],
  ];
}

/** What a decision seldom needs. */
function useOtherFacts(review: Detail): Fact[] {
  const [t, format] = useWords('reviews');
  const { image, push, state, destination } = review;
  const { data: mirrors } = useAnswer('folders.listMirrors');
  const isMirror = mirrors?.some(({ folder }) => folder === destination.folder) === true;
  const withoutPush = isMirror ? t.fromMirror : isOfRegistry(review) ? t.inRegistry : t.noPush;
  const approvals = t.approvals(review.approvals.length, review.approvals_needed);
  return [
    [t.digest, <Digest key="digest" digest={image.digest} />],
    [t.endsAt, state === 'open' && `${format.dateTime(review.ends_at)} · ${approvals}`],
    [
      t.afterwards,
      (state === 'open' || isApproved(state)) &&
        (push === null ? withoutPush : t.pushStates[push.state]),
    ],
  ];
}

const isApproved = (state: Detail['state']) => state === 'approved' || state === 'partly_approved';

function Gate({
  review: { decision, also_blocking, also_blocking_total: more },
}: {
  review: Detail;
}) {
  const [t, format] = useWords('reviews');
  const words = useMessages('push');
  if (decision === null) return t.noReport;
  const { policy } = decision;
  return (
    <>
      {decision.code === null ? t.passes : t.refuses}{' '}
      {policy.id === null ? words.byDefaultPolicy : words.byPolicy(policy.name)}
      {more > 0 && <div>{t.alsoBlocking(more, format.list(also_blocking.slice(0, 5)))}</div>}
    </>
  );
}

const MOST_REPOSITORIES = 20;

interface CoversProps {
  review: Detail;
  covers: NonNullable<Detail['covers']>;
}

function Covers({ review: { destination, state }, covers }: CoversProps) {
  const [t, format] = useWords('reviews');
  return (
    <>
      {t.coversOnly(destination.folder ?? '')}
      {covers.length === 0 && state === 'open' && ` ${t.coversNothing}`}
      <ul className={classes.covers}>
        {covers.slice(0, MOST_REPOSITORIES).map(({ repository, tags, tag_count: count }) => (
          <li key={repository}>
            {t.coversTags(repository, format.list(tags))}
            {count > tags.length && ` ${t.coversMore(count - tags.length)}`}
          </li>
        ))}
      </ul>
    </>
  );
}
