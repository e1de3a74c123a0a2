/** Stores notifications, and which kinds an account wants. */
import {
  DEFAULT_CHOICES,
  isNotificationKind,
  type NotificationKind,
  storableJson,
  storableText,
} from '@portcullis/domain';
import { type Database, inTransaction, isId, run } from '../database.ts';
import type { PageOptions } from '../page.ts';
import { listNotifications } from './notification-list.ts';
import type { ChosenWays, NewNotification, NotificationReader } from './records.ts';

export function createNotifications(db: Database) {
  return {
    /**
     * Adds those that are new and that their accounts want on the page. Answers with the accounts
     * that have new ones.
     */
    insert: (notifications: readonly NewNotification[]) => insert(db, notifications),
    /** Newest first. @throws invalid `CURSOR_INVALID` */
    list: (reader: NotificationReader, page: PageOptions) => listNotifications(db, reader, page),
    /** Marks these of the account as read; null: all. */
    async markRead(userId: string, ids: readonly string[] | null, at: Date): Promise<void> {
      const where = { userId, readAt: null, ...(ids && { id: { in: ids.filter(isId) } }) };
      await run(() => db.notification.updateMany({ where, data: { readAt: at } }));
    },
    /**
     * Marks as read that these review requests wait for a decision. Answers with the accounts that
     * were told so.
     */
    async settle(reviews: readonly number[], at: Date): Promise<string[]> {
      const where = {
        ...{ kind: 'review.waiting', target: 'review' },
        targetId: { in: reviews.map(String) },
      };
      return run(async () => {
        await db.notification.updateMany({
          where: { ...where, readAt: null },
          data: { readAt: at },
        });
        const told = await db.notification.findMany({ where, select: { userId: true } });
        return [...new Set(told.map(({ userId }) => userId))];
      });
    },
    /** Removes older ones, and of each account all but its newest ones. */
    prune: (before: Date, mostOfAccount: number): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM notifications n
           WHERE n.created_at < ${before}
              OR n.id IN (SELECT id FROM (
                   SELECT id, row_number() OVER (PARTITION BY user_id
                                                 ORDER BY created_at DESC, id DESC) AS place
                     FROM notifications) placed WHERE place > ${mostOfAccount})`,
      ),
    /** What the account chose; kinds that it left at the default are absent. */
    async choices(userId: string): Promise<Map<NotificationKind, ChosenWays>> {
      const rows = await run(() => db.notificationChoice.findMany({ where: { userId } }));
      return new Map(
        rows.flatMap(({ kind, page, mail }): [NotificationKind, ChosenWays][] =>
          isNotificationKind(kind) ? [[kind, { page, mail }]] : [],
        ),
      );
    },
    /** Only these kinds change. */
    async choose(
      userId: string,
      choices: ReadonlyMap<NotificationKind, ChosenWays>,
    ): Promise<void> {
      await run(() =>
        inTransaction(db, async (tx) => {
          for (const [kind, ways] of choices)
            await tx.notificationChoice.upsert({
              where: { userId_kind: { userId, kind } },
              create: { userId, kind, ...ways },
              update: ways,
            });
        }),
      );
    },
    /** Of these accounts, those that do not want this kind by mail. */
    async withoutMail(kind: NotificationKind, userIds: readonly string[]): Promise<Set<string>> {
      const where = { kind, mail: false, userId: { in: userIds.filter(isId) } };
      const rows = await run(() =>
        db.notificationChoice.findMany({ where, select: { userId: true } }),
      );
      return new Set(rows.map(({ userId }) => userId));
    },
  };
}

/** An account may have been removed or disabled meanwhile, so each row needs one. */
async function insert(db: Database, notifications: readonly NewNotification[]): Promise<string[]> {
  const rows = notifications.filter(({ userId }) => isId(userId));
  if (rows.length === 0) return [];
  const column = <T>(read: (row: NewNotification) => T) => rows.map(read);
  const added = await run(
    () => db.$queryRaw<{ userId: string }[]>`
      INSERT INTO notifications (id, user_id, key, kind, subject, target, target_id, repository,
                                 folder, facts, created_at)
      SELECT gen_random_uuid(), u.id, row.key, row.kind, row.subject, row.target, row.target_id,
             row.repository, row.folder, row.facts::jsonb, row.at::timestamptz
        FROM unnest(${column(({ userId }) => userId)}::text[],
                    ${column(({ key }) => key)}::text[],
                    ${column(({ kind }) => kind)}::text[],
                    ${column(({ subject }) => storableText(subject))}::text[],
                    ${column(({ target }) => target)}::text[],
                    ${column(({ targetId }) => targetId)}::text[],
                    ${column(({ repository }) => repository)}::text[],
                    ${column(({ folder }) => folder)}::text[],
                    ${column(({ facts }) => storableJson(facts))}::text[],
                    ${column(({ at }) => at)}::text[],
                    ${column(({ kind }) => DEFAULT_CHOICES[kind].page === true)}::boolean[])
             AS row(user_id, key, kind, subject, target, target_id, repository, folder, facts, at,
                    wanted)
        JOIN users u ON u.id = row.user_id::uuid AND NOT u.disabled
        LEFT JOIN notification_choices c ON c.user_id = u.id AND c.kind = row.kind
       WHERE coalesce(c.page, row.wanted)
      ON CONFLICT (user_id, key) DO NOTHING
      RETURNING user_id::text AS "userId"`,
  );
  return [...new Set(added.map(({ userId }) => userId))];
}
