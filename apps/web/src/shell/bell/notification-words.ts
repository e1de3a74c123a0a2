/** The words of a notification: what happened, and a line with what else is known. */
import type { Notification } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useKnownFaultText } from '../../kit/fault/job-fault.tsx';
import { shownPlace } from '../../kit/text/shown-place.ts';

interface NotificationWords {
  headline: string;
  more: string | null;
}

export function useNotificationWords(): (notification: Notification) => NotificationWords {
  const headline = useHeadline();
  const more = useMore();
  return (notification) => ({ headline: headline(notification), more: more(notification) });
}

function useHeadline(): (notification: Notification) => string {
  const t = useMessages('notifications');
  return ({ kind, subject, facts: { count, decision, review, outcome } }) => {
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
        return t.imageBlocked(subject);
      case 'image.cleared':
        return t.imageCleared(subject);
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

function useMore(): (notification: Notification) => string | null {
  const [t, format] = useWords('notifications');
  const faultText = useKnownFaultText();
  return ({ kind, facts }) => {
    const { code, destination, policy, grace_until: until, by, reason, ends_at: end } = facts;
    if (kind === 'review.waiting') return t.asks(by ?? '', facts.count ?? 0);
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
