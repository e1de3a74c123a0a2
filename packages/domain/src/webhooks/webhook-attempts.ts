/**
 * When a delivery is tried again, and when it and its endpoint are given up. The pause between
 * attempts grows from seconds to an hour; after a day nothing is tried any more.
 */

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;
const GIVEN_UP_AFTER_MS = 86_400_000;

/** The status code by which a receiver says that the endpoint no longer exists. */
const GONE = 410;

export interface WebhookAnswer {
  /** Null: no answer arrived. */
  status: number | null;
  /** Of the header `Retry-After`; null without one. */
  retryAfterMs: number | null;
}

interface FailedBefore {
  /** Attempts of this delivery, with the one that just ended. */
  attempts: number;
  createdAt: Date;
  /** Since when no delivery of the endpoint has succeeded; null: the last one did. */
  failingSince: Date | null;
}

export type WebhookDecision =
  | { kind: 'delivered' }
  | { kind: 'again'; at: Date; failingSince: Date }
  /** Another attempt is useless; the endpoint remains enabled. */
  | { kind: 'given_up'; failingSince: Date }
  | { kind: 'disable'; reason: 'failing' | 'gone'; failingSince: Date };

export function decideWebhook(
  answer: WebhookAnswer,
  { attempts, createdAt, failingSince }: FailedBefore,
  now: Date,
): WebhookDecision {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' };
  const since = failingSince ?? now;
  if (status === GONE) return { kind: 'disable', reason: 'gone', failingSince: since };
  if (isDayAgo(since, now)) return { kind: 'disable', reason: 'failing', failingSince: since };
  if (isDayAgo(createdAt, now)) return { kind: 'given_up', failingSince: since };
  const at = new Date(now.getTime() + pauseMs(attempts, answer.retryAfterMs));
  return { kind: 'again', at, failingSince: since };
}

/** 5 s, 10 s, 20 s … an hour; longer only up to an hour where the receiver asks for it. */
function pauseMs(attempts: number, retryAfterMs: number | null): number {
  const growing = FIRST_PAUSE_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 20);
  return Math.min(Math.max(growing, retryAfterMs ?? 0), LONGEST_PAUSE_MS);
}

function isDayAgo(since: Date, now: Date): boolean {
  return now.getTime() - since.getTime() >= GIVEN_UP_AFTER_MS;
}
