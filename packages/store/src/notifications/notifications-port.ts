/** Notifications of accounts on the page, and where each account receives them. */
import type { NotificationContent, NotificationKind } from '@portcullis/domain';
import type { PageOptions } from '../page-port.ts';

export interface NewNotification extends NotificationContent {
  userId: string;
}

export interface StoredNotification
  extends Pick<
    NotificationContent,
    'kind' | 'subject' | 'target' | 'targetId' | 'repository' | 'facts'
  > {
  id: string;
  createdAt: Date;
  readAt: Date | null;
}

/** The rights of now, which hide what the account may not see any more. */
export interface NotificationReader {
  userId: string;
  isAdmin: boolean;
  /** Folders that it may pull from. */
  folders: 'all' | readonly string[];
  /** Whether it may review waivers. */
  reviews: boolean;
}

export interface NotificationPage {
  items: StoredNotification[];
  /** How many of all are unread. */
  unread: number;
  nextCursor: string | null;
}

export interface ChosenWays {
  page: boolean;
  mail: boolean;
}

export interface Notifications {
  /**
   * Adds those that are new and that their accounts want on the page. Answers with the accounts
   * that have new ones.
   */
  insert(notifications: readonly NewNotification[]): Promise<string[]>;
  /** Newest first. @throws invalid `CURSOR_INVALID` */
  list(reader: NotificationReader, page: PageOptions): Promise<NotificationPage>;
  /** Marks these of the account as read; null: all. */
  markRead(userId: string, ids: readonly string[] | null, at: Date): Promise<void>;
  /** Removes older ones, and of each account all but its newest ones. */
  prune(before: Date, mostOfAccount: number): Promise<number>;
  /** What the account chose; kinds that it left at the default are absent. */
  choices(userId: string): Promise<Map<NotificationKind, ChosenWays>>;
  /** Only these kinds change. */
  choose(userId: string, choices: ReadonlyMap<NotificationKind, ChosenWays>): Promise<void>;
  /** Of these accounts, those that do not want this kind by mail. */
  withoutMail(kind: NotificationKind, userIds: readonly string[]): Promise<Set<string>>;
}
