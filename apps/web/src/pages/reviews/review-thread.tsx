/** The comments of a review request. */
import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { ReviewDetail } from '@portcullis/contract';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useAct } from '../../kit/action/use-act.ts';
import { useKnownFaultText } from '../../kit/fault/job-fault.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import classes from './reviews.module.css';

export function ReviewThread({ review }: { review: ReviewDetail }) {
  const t = useMessages('reviews');
  const { comments, may } = review;
  return (
    <section aria-label={t.thread}>
      <h3>{t.thread}</h3>
      {comments.length === 0 && <Dimmed>{t.noComments}</Dimmed>}
      <ol className={classes.thread}>
        {comments.map((each) => (
          <li key={each.id}>
            <span className={classes.quiet}>
              <b>{each.author.username ?? t.deletedAccount}</b> ·{' '}
              <RelativeTime at={each.created_at} />
            </span>
            <Words comment={each} />
          </li>
        ))}
      </ol>
      {may.comment && !may.decide && <Writing number={review.number} />}
    </section>
  );
}

/** A comment that no account wrote has a code. */
function Words({ comment: { code, text } }: { comment: ReviewDetail['comments'][number] }) {
  const [t, format] = useWords('reviews');
  const known = useKnownFaultText()(code ?? undefined);
  return <p>{code === null ? text : `${t.pushRefused}${format.colon}${known ?? text}`}</p>;
}

export function useComment(number: number) {
  const t = useMessages('reviews');
  return useAct({
    run: (text: string) => call('reviews.comment', { params: { number }, body: { text } }),
    done: () => t.sent,
    changes: ['reviews.get', 'reviews.list'],
  });
}

/** A reviewer writes beside the decision instead. */
function Writing({ number }: { number: number }) {
  const t = useMessages('reviews');
  const [text, setText] = useState('');
  const send = useComment(number);
  function submit(event: FormEvent): void {
    event.preventDefault();
    send.mutate(text, { onSuccess: () => setText('') });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          label={t.comment}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          maxLength={2_000}
          autosize
          minRows={2}
        />
        <Group justify="flex-end">
          <Button
            type="submit"
            variant="default"
            loading={send.isPending}
            disabled={text.trim() === ''}
          >
            {t.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
