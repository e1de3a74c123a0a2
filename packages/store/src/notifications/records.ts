import type { NotificationContent } from '@portcullis/domain';

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
