/** The kinds of notifications, and where an account receives them until it chooses. */

export const NOTIFICATION_KINDS = [
  'job.blocked',
  'job.pushed',
  'job.failed',
  'transfer.finished',
  'image.blocked',
  'image.cleared',
  'vulnerability.appeared',
  'waiver.waiting',
  'waiver.decided',
  'waiver.ending',
  'review.waiting',
  'review.decided',
  'review.commented',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Null: the kind is never sent that way. */
export interface NotificationChoice {
  page: boolean | null;
  mail: boolean | null;
}

export const DEFAULT_CHOICES: Readonly<Record<NotificationKind, NotificationChoice>> = {
  'job.blocked': { page: true, mail: null },
  'job.pushed': { page: true, mail: null },
  'job.failed': { page: true, mail: null },
  'transfer.finished': { page: true, mail: null },
  'image.blocked': { page: true, mail: true },
  'image.cleared': { page: false, mail: true },
  // A new vulnerability database may have hundreds.
  'vulnerability.appeared': { page: null, mail: true },
  'waiver.waiting': { page: true, mail: true },
  'waiver.decided': { page: true, mail: true },
  'waiver.ending': { page: true, mail: true },
  'review.waiting': { page: true, mail: true },
  'review.decided': { page: true, mail: true },
  'review.commented': { page: true, mail: true },
};

/** A choice cannot add a way that the kind does not have. */
export function choiceOf(
  kind: NotificationKind,
  chosen: { page: boolean; mail: boolean } | undefined,
): NotificationChoice {
  const { page, mail } = DEFAULT_CHOICES[kind];
  if (chosen === undefined) return { page, mail };
  return { page: page === null ? null : chosen.page, mail: mail === null ? null : chosen.mail };
}

export function isNotificationKind(text: string): text is NotificationKind {
  return NOTIFICATION_KINDS.some((kind) => kind === text);
}
