/** The notifications of the caller. Rights are asked for at each request. */
import {
  choiceOf,
  foldersWith,
  isMailAddress,
  NOTIFICATION_KINDS,
  type NotificationChoice,
  type NotificationKind,
  type Principal,
} from '@portcullis/domain';
import type { ChosenWays, Store } from '@portcullis/store';

export interface NotificationPorts {
  notifications: Pick<Store['notifications'], 'list' | 'markRead' | 'choices' | 'choose'>;
  users: Pick<Store['users'], 'find'>;
  /** Whether this installation sends e-mail. */
  sendsMail(): boolean;
  /** Notifies the open pages of the account. */
  announce(accountId: string): Promise<void>;
  now(): Date;
}

export interface KindChoice extends NotificationChoice {
  kind: NotificationKind;
}

interface NotificationMail {
  enabled: boolean;
  /** Null: the account has none, or no valid one. */
  address: string | null;
}

export type NotificationService = ReturnType<typeof createNotificationService>;

export function createNotificationService(ports: NotificationPorts) {
  const { notifications, users, sendsMail, announce, now } = ports;

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

  async function mail({ id }: Principal): Promise<NotificationMail> {
    const email = (await users.find(id))?.email ?? null;
    return { enabled: sendsMail(), address: email !== null && isMailAddress(email) ? email : null };
  }

  return { list, markRead, settings, choose, mail };
}
