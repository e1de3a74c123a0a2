/** The notifications of the caller. Rights are asked for at each request. */
import {
  choiceOf,
  foldersWith,
  NOTIFICATION_KINDS,
  type NotificationChoice,
  type NotificationKind,
  type Principal,
} from '@portcullis/domain';
import type { ChosenWays, Notifications } from '@portcullis/store';

export interface NotificationPorts {
  notifications: Pick<Notifications, 'list' | 'markRead' | 'choices' | 'choose'>;
  /** Notifies the open pages of the account. */
  announce(accountId: string): Promise<void>;
  now(): Date;
}

export interface KindChoice extends NotificationChoice {
  kind: NotificationKind;
}

export type NotificationService = ReturnType<typeof createNotificationService>;

export function createNotificationService({ notifications, announce, now }: NotificationPorts) {
  function list(
    { id: userId, isAdmin, canBypassVulnBlock, grants }: Principal,
    page: { limit: number; cursor?: string | undefined },
  ) {
    const folders = isAdmin ? ('all' as const) : foldersWith(grants, 'pull');
    return notifications.list(
      { userId, isAdmin, folders, reviews: isAdmin || canBypassVulnBlock },
      page,
    );
  }

  async function markRead({ id }: Principal, ids: readonly string[] | null): Promise<void> {
    await notifications.markRead(id, ids, now());
    await announce(id);
  }

  async function settings({ id }: Principal): Promise<KindChoice[]> {
    const chosen = await notifications.choices(id);
    return NOTIFICATION_KINDS.map((kind) => ({ kind, ...choiceOf(kind, chosen.get(kind)) }));
  }

  async function choose(
    principal: Principal,
    choices: ReadonlyMap<NotificationKind, ChosenWays>,
  ): Promise<KindChoice[]> {
    await notifications.choose(principal.id, choices);
    return settings(principal);
  }

  return { list, markRead, settings, choose };
}
