/** Shows one notification. */
import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Notification } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import {
  IconAlertTriangle,
  IconArrowsTransferUp,
  IconBarrierBlock,
  IconBug,
  IconCheck,
  IconCircleCheck,
  IconFileCheck,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useKnownFaultText } from '../../kit/fault/job-fault.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { useAnswerWord } from '../../kit/verdict/answer-badge.tsx';
import { type Tone, ToneIcon } from '../../kit/verdict/badge.tsx';
import classes from './bell.module.css';
import { notificationPath } from './notification-path.ts';

const LOOKS: Record<Notification['kind'], [Tone, typeof IconBug]> = {
  'job.blocked': ['critical', IconBarrierBlock],
  'job.pushed': ['good', IconCircleCheck],
  'job.failed': ['high', IconAlertTriangle],
  'transfer.finished': ['unknown', IconArrowsTransferUp],
  'image.blocked': ['critical', IconBarrierBlock],
  'image.cleared': ['good', IconCircleCheck],
  'vulnerability.appeared': ['high', IconBug],
  'waiver.waiting': ['wait', IconFileCheck],
  'waiver.decided': ['wait', IconFileCheck],
  'waiver.ending': ['wait', IconFileCheck],
  'review.waiting': ['wait', IconFileCheck],
  'review.decided': ['wait', IconFileCheck],
  'review.commented': ['wait', IconFileCheck],
};

interface NotificationItemProps {
  notification: Notification;
  onRead(): void;
  /** Its page is opened. */
  onOpen(): void;
}

export function NotificationItem({ notification, onRead, onOpen }: NotificationItemProps) {
  const [t, format] = useWords('notifications');
  const { headline, more } = useNotificationWords()(notification);
  const link = useRef<HTMLAnchorElement>(null);
  const [tone, icon] = LOOKS[notification.kind];
  const isUnread = notification.read_at === null;

  /** The button disappears, so the focus moves to the link. */
  function read(): void {
    link.current?.focus();
    onRead();
  }

  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <Link
        ref={link}
        to={notificationPath(notification)}
        className={classes.link}
        onClick={onOpen}
      >
        <ToneIcon icon={icon} tone={tone} />
        <span className={classes.text}>
          <span className={classes.headline}>
            {isUnread && (
              <VisuallyHidden>
                {t.unread}
                {format.colon}
              </VisuallyHidden>
            )}
            {headline}
          </span>
          {more !== null && <span className={classes.more}>{more}</span>}
          <span className={classes.time}>
            <RelativeTime at={notification.created_at} />
          </span>
        </span>
      </Link>
      {isUnread && (
        <Tooltip label={t.read} withinPortal={false} position="left">
          <UnstyledButton
            className={classes.read ?? ''}
            aria-label={t.readOne(headline)}
            onClick={read}
          >
            <IconCheck size={16} stroke={2} className={classes.check} aria-hidden="true" />
          </UnstyledButton>
        </Tooltip>
      )}
    </li>
  );
}

interface NotificationWords {
  headline: string;
  more: string | null;
}

/** The words of a notification: what happened, and a line with what else is known. */
function useNotificationWords(): (notification: Notification) => NotificationWords {
  const headline = useHeadline();
  const more = useMore();
  return (notification) => ({ headline: headline(notification), more: more(notification) });
}

function useHeadline(): (notification: Notification) => string {
  const t = useMessages('notifications');
  return ({ kind, subject, facts: { count, decision, review, outcome, tags } }) => {
    switch (kind) {
      case 'job.blocked':
        return t.jobBlocked(subject);
      case 'job.pushed':
        return t.jobPushed(subject);
      case 'job.failed':
        return t.jobFailed(subject);
      case 'transfer.finished':
        return t.transfer;
      case 'image.blocked':
        return t.imageBlocked(taggedName(subject, tags));
      case 'image.cleared':
        return t.imageCleared(taggedName(subject, tags));
      case 'waiver.waiting':
        return t.waiting(count ?? 1, subject);
      case 'waiver.ending':
        return t.ending(count ?? 1, subject);
      case 'waiver.decided':
        return t.decisions[decision ?? 'approved'](subject);
      case 'review.waiting':
        return t.reviewWaiting(String(review), subject);
      case 'review.commented':
        return t.reviewCommented(String(review), subject);
      case 'review.decided':
        return t.reviewOutcomes[outcome ?? 'approved'](String(review), subject);
      case 'vulnerability.appeared':
        return t.vulnerability(subject);
    }
  };
}

/** `team/app:1.0`, of several tags with the number of the others. */
function taggedName(repository: string, [first, ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` +${others.length}` : '';
  return first === undefined ? repository : `${repository}:${first}${more}`;
}

/** How the image stood, as lists say it, and what else is known. */
function useMore(): (notification: Notification) => string | null {
  const word = useAnswerWord();
  const rest = useRest();
  return (notification) => {
    const { standing } = notification.facts;
    const parts = [standing && word(standing), rest(notification)].filter((part) => part !== null);
    return parts.length === 0 ? null : parts.join(' · ');
  };
}

function useRest(): (notification: Notification) => string | null {
  const [t, format] = useWords('notifications');
  const faultText = useKnownFaultText();
  return ({ kind, facts }) => {
    const { code, destination, policy, grace_until: until, by, reason, ends_at: end } = facts;
    if (kind === 'review.waiting') {
      const { count, waits_until: waits, missing_signatures: missing } = facts;
      const asked = [
        count && t.asked.vulnerabilities(count),
        waits !== null && t.asked.age(format.dateTime(waits)),
        missing && t.asked.signatures(format.list(missing)),
      ].filter((part) => typeof part === 'string');
      return t.asks(by ?? '', format.list(asked));
    }
    if (facts.outcome === 'push_refused') return faultText(code ?? undefined) ?? null;
    if (kind === 'transfer.finished')
      return t.transferCounts(facts.pushed ?? 0, facts.blocked ?? 0, facts.failed ?? 0);
    if (policy !== null)
      return until === null ? t.byPolicy(policy) : t.servedUntil(policy, format.date(until));
    if (by !== null) return reason === null ? t.by(by) : t.because(by, reason);
    if (end !== null) return t.endsOn(format.date(end));
    if (destination !== null)
      return t.to(shownPlace(destination, facts.local ? LOCAL_REGISTRY_ID : null));
    return faultText(code ?? undefined) ?? null;
  };
}
