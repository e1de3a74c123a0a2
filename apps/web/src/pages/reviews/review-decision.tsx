/** The decision about a review request, and its withdrawal. */
import { Alert, Button, Group, Kbd, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReviewDetail } from '@portcullis/contract';
import { AGE, askedIds, SIGNATURE, vulnerabilitiesIn } from '@portcullis/domain';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent as Key, useLayoutEffect, useRef, useState } from 'react';
import { call, keyOf } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useDelayedAct } from '../../kit/action/delayed-act.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { useAct } from '../../kit/action/use-act.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
import { dayOf } from '../job/review/review-form.ts';
import { isEnd, proposedDay, soonerEnd } from './review-end.ts';
import { useComment } from './review-thread.tsx';
import classes from './reviews.module.css';

interface ReviewDecisionProps {
  review: ReviewDetail;
  selected: ReadonlySet<string>;
  /** After a decision, whose undo is offered meanwhile. */
  onDecided(): void;
}

export function ReviewDecision(props: ReviewDecisionProps) {
  const t = useMessages('reviews');
  const { may, state } = props.review;
  if (state !== 'open') return null;
  if (may.decide) return <Deciding {...props} />;
  const reasons: Partial<Record<string, string>> = t.mayNot;
  const why = may.decide_code === null ? undefined : reasons[may.decide_code];
  return (
    <Stack gap="sm">
      {why !== undefined && (
        <Alert color="gray" variant="light">
          {why}
        </Alert>
      )}
      {may.withdraw && <Withdrawing {...props} />}
    </Stack>
  );
}

function Deciding({ review, selected, onDecided }: ReviewDecisionProps) {
  const t = useMessages('reviews');
  const [now] = useState(Date.now);
  const [comment, setComment] = useState('');
  const [lastDay, setLastDay] = useState(() => proposedDay(review.until, review.approvals));
  const field = useRef<HTMLTextAreaElement>(null);
  const send = useComment(review.number);
  const decide = useDecision(review, onDecided);
  const words = comment.trim() === '' ? null : comment.trim();
  const approve = () =>
    decide(
      { decision: 'approve', comment: words, until: soonerEnd(lastDay, review.until) },
      selected,
    );
  const reject = () => decide({ decision: 'reject', comment: words, until: null }, selected);
  const canApprove = selected.size > 0 && isEnd(lastDay, review.until, now);
  useDecisionKeys(review, canApprove, { approve, reject });
  useShortcut('c', t.keys.comment, () => field.current?.focus());
  const approval = useApproval(selected);
  const leftOut = askedIds(review).length - selected.size;
  return (
    <Stack gap="xs" className={classes.decision ?? ''}>
      <Group gap="sm" align="flex-end" wrap="wrap">
        <Textarea
          ref={field}
          className={classes.words ?? ''}
          label={t.decisionComment}
          value={comment}
          onChange={({ currentTarget: { value } }) => setComment(value)}
          onKeyDown={leave}
          maxLength={2_000}
          autosize
          minRows={1}
          maxRows={6}
        />
        <TextInput
          type="date"
          label={t.until}
          value={lastDay}
          onChange={({ currentTarget: { value } }) => setLastDay(value)}
          min={dayOf(now)}
          max={dayOf(Date.parse(review.until))}
        />
      </Group>
      <Group gap="xs">
        <Button
          onClick={approve}
          disabled={!canApprove}
          aria-keyshortcuts="a"
          rightSection={<Kbd aria-hidden="true">A</Kbd>}
        >
          {approval}
        </Button>
        <Button
          variant="default"
          onClick={reject}
          aria-keyshortcuts="r"
          rightSection={<Kbd aria-hidden="true">R</Kbd>}
        >
          {t.reject}
        </Button>
        {words !== null && (
          <Button
            variant="subtle"
            loading={send.isPending}
            onClick={() => send.mutate(words, { onSuccess: () => setComment('') })}
          >
            {t.commentOnly}
          </Button>
        )}
      </Group>
      {leftOut > 0 && selected.size > 0 && <Text size="sm">{t.staysBlocked(leftOut)}</Text>}
    </Stack>
  );
}

/** What the button of an approval says. */
function useApproval(selected: ReadonlySet<string>): string {
  const [t, format] = useWords('reviews');
  const found = vulnerabilitiesIn([...selected]).length;
  const parts = [
    ...(found > 0 || selected.size === 0 ? [t.approves.vulnerabilities(found)] : []),
    ...(selected.has(AGE) ? [t.approves.age] : []),
    ...(selected.has(SIGNATURE) ? [t.approves.signatures] : []),
  ];
  return t.approve(format.list(parts));
}

/** Escape leaves the field, so that keys decide again. */
function leave({ key, currentTarget }: Key<HTMLElement>): void {
  if (key === 'Escape') currentTarget.blur();
}

interface Deciders {
  approve(): void;
  reject(): void;
}

function useDecisionKeys(
  { number }: ReviewDetail,
  canApprove: boolean,
  { approve, reject }: Deciders,
): void {
  const { keys: t } = useMessages('reviews');
  const { done: say } = useNotices();
  const isMeant = useIsMeant();
  useShortcut('a', t.approve, (event) => {
    if (!isMeant(event)) say(t.tooEarly(String(number)));
    else if (!canApprove) say(t.nothing);
    else approve();
  });
  useShortcut('r', t.reject, (event) => {
    if (isMeant(event)) reject();
    else say(t.tooEarly(String(number)));
  });
}

/** A key that was pressed, or held, while another request was shown means that one. */
function useIsMeant(): (event: KeyboardEvent) => boolean {
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return ({ repeat, timeStamp }) => !repeat && timeStamp >= shownAt.current;
}

/** The keys of a decision while its request is not shown. */
export function NoDecision({ number }: { number: number }) {
  const { keys: t } = useMessages('reviews');
  const { done: say } = useNotices();
  const refuse = () => say(t.tooEarly(String(number)));
  useShortcut('a', t.approve, refuse);
  useShortcut('r', t.reject, refuse);
  return null;
}

interface Order {
  decision: 'approve' | 'reject';
  comment: string | null;
  /** A sooner end than was asked for; null: that one. */
  until: string | null;
}

/** Sent after some seconds, in which it can be undone; the queue goes on at once. */
function useDecision(review: ReviewDetail, onDecided: () => void) {
  const { number } = review;
  const t = useMessages('reviews');
  const queries = useQueryClient();
  const start = useDelayedAct();
  return (order: Order, selected: ReadonlySet<string>): void => {
    const isApproved = order.decision === 'approve';
    const except = isApproved ? askedIds(review).filter((id) => !selected.has(id)) : [];
    const says = except.length > 0 ? t.approvingPart : isApproved ? t.approving : t.rejecting;
    start({
      name: 'reviews.decide',
      request: { params: { number }, body: { ...order, except } },
      changes: 'reviews.list',
      hides: [String(number)],
      message: says(String(number)),
      onAnswer: () => {
        for (const name of ['reviews.get', 'reviews.count'] as const)
          void queries.invalidateQueries({ queryKey: keyOf(name) });
      },
    });
    onDecided();
  };
}

function Withdrawing({ review: { number } }: ReviewDecisionProps) {
  const t = useMessages('reviews');
  const withdraw = useAct({
    run: () => call('reviews.withdraw', { params: { number }, body: { comment: null } }),
    done: () => t.withdrawn(String(number)),
    changes: ['reviews.get', 'reviews.list', 'reviews.count'],
  });
  return (
    <Group>
      <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t.withdraw}
      </Button>
    </Group>
  );
}
