/** The decision about a review request, and its withdrawal. */
import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import type { ReviewDetail } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useDelayedAct } from '../../kit/action/delayed-act.ts';
import { useNotices } from '../../kit/action/notices.ts';
import { useAct } from '../../kit/action/use-act.ts';
import { useShortcut } from '../../shell/shortcuts.ts';
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
  const [comment, setComment] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const decide = useDecision(review, onDecided);
  const words = comment.trim() === '' ? null : comment.trim();
  const approve = () => decide('approve', words, selected);
  const reject = () => decide('reject', words, selected);
  const { done: say } = useNotices();
  const isMeant = useIsMeant();
  useShortcut('a', t.keys.approve, (event) => {
    if (!isMeant(event)) say(t.keys.tooEarly(String(review.number)));
    else if (selected.size === 0) say(t.keys.nothing);
    else approve();
  });
  useShortcut('r', t.keys.reject, (event) => {
    if (isMeant(event)) reject();
    else say(t.keys.tooEarly(String(review.number)));
  });
  useShortcut('c', t.keys.comment, () => field.current?.focus());
  return (
    <Stack gap="xs" className={classes.decision ?? ''}>
      <Textarea
        ref={field}
        label={t.decisionComment}
        description={t.commentHint}
        value={comment}
        onChange={({ currentTarget: { value } }) => setComment(value)}
        maxLength={2_000}
        autosize
        minRows={1}
      />
      <Group gap="xs">
        <Button onClick={approve} disabled={selected.size === 0}>
          {t.approve(selected.size)}
        </Button>
        <Button variant="default" onClick={reject}>
          {t.reject}
        </Button>
      </Group>
    </Stack>
  );
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

/** Sent after some seconds, in which it can be undone; the queue goes on at once. */
function useDecision({ number, findings }: ReviewDetail, onDecided: () => void) {
  const t = useMessages('reviews');
  const queries = useQueryClient();
  const start = useDelayedAct();
  return (
    decision: 'approve' | 'reject',
    comment: string | null,
    selected: ReadonlySet<string>,
  ): void => {
    const except =
      decision === 'reject'
        ? []
        : findings.flatMap(({ vulnerability: id }) => (selected.has(id) ? [] : [id]));
    start({
      name: 'reviews.decide',
      request: { params: { number }, body: { decision, except, comment } },
      changes: 'reviews.list',
      hides: [String(number)],
      message: decision === 'approve' ? t.approving(String(number)) : t.rejecting(String(number)),
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
