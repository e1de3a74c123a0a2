/** The mails about review requests: to reviewers, requesters, and the accounts of a thread. */
import { type NotificationDraft, requestText } from '@portcullis/domain';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';

type ReviewNews = Pick<NotificationDraft, 'kind' | 'key' | 'subject' | 'facts'>;

/**
 * @param news what the page notifies of, of a kind `review.*`
 * @param site the address of the page; null where this installation does not know it
 */
export function reviewMail(news: ReviewNews, site: string | null): Mail {
  const { kind, key, subject: image, facts } = news;
  const { review, destination, reason, by } = facts;
  const lines = [
    oneLine(sentenceOf({ kind, image, facts }), 500),
    ...(destination === undefined ? [] : [`Destination: ${oneLine(destination, 300)}`]),
    ...(reason === undefined
      ? []
      : [`Comment of ${oneLine(by ?? '', 100)}: ${oneLine(reason, 500)}`]),
    ...(kind === 'review.waiting' ? [`Decide about request #${review} on the page.`] : []),
    ...(site === null ? [] : [`${site}/reviews?open=${review}`]),
  ];
  return {
    subject: `[Portcullis] ${oneLine(`#${review} ${image}: ${titleOf(kind, facts)}`, 120)}`,
    text: `${lines.join('\n')}\n`,
    messageId: `<${key}.reviews@portcullis>`,
    attachment: null,
  };
}

function titleOf(kind: ReviewNews['kind'], { outcome }: ReviewNews['facts']): string {
  if (kind === 'review.waiting') return 'a request needs your review';
  if (kind === 'review.commented') return 'new comment';
  return outcome === 'push_refused' ? 'the push was refused' : OUTCOMES[outcome ?? 'approved'];
}

const OUTCOMES = {
  approved: 'approved',
  partly_approved: 'partly approved',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  expired: 'not decided in time',
  old_enough: 'old enough by now',
} as const;

interface Told {
  kind: ReviewNews['kind'];
  image: string;
  facts: ReviewNews['facts'];
}

function sentenceOf({ kind, image, facts }: Told): string {
  const { review, by, count = 0, approved = 0, outcome, code } = facts;
  const findings = `${count} ${count === 1 ? 'vulnerability' : 'vulnerabilities'}`;
  if (kind === 'review.waiting') return `${by} asks to accept ${askedOf(facts)} of ${image}.`;
  if (kind === 'review.commented') return `${by} wrote a comment on request #${review}: ${image}.`;
  switch (outcome) {
    case 'push_refused':
      return `${image} was approved, and its push was refused: ${code}. Push it again, or ask again.`;
    case 'expired':
      return `Your request #${review} for ${image} was not decided in time. Ask again.`;
    case 'old_enough':
      return `${image} is old enough by now: your request #${review} needs no decision any more.`;
    case 'rejected':
      return `Your request #${review} for ${image} was rejected by ${by}.`;
    case 'withdrawn':
      return `Your request #${review} for ${image} was withdrawn by ${by}.`;
    case 'partly_approved':
      return `Of ${findings} of ${image}, ${approved} were approved by ${by}.`;
    default:
      return `Your request #${review} for ${image} was approved by ${by}.`;
  }
}

function askedOf({ count = 0, waitsUntil, missingSignatures }: ReviewNews['facts']): string {
  const end = waitsUntil === undefined ? null : new Date(waitsUntil);
  return requestText({
    ...{ findings: count, waitsUntil: end },
    missingSignatures: missingSignatures ?? null,
  });
}
