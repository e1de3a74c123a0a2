import type { Database } from '../database.ts';
import { isId, run, write } from '../database.ts';
import type { Sessions } from '../port.ts';

export function createSessions(db: Database): Sessions {
  return {
    insert: (session) =>
      write({ missing: ['USER_UNKNOWN', 'there is no such account'] }, () =>
        db.session.create({ data: session }),
      ),
    async find(id) {
      if (!isId(id)) return null;
      const live = {
        id,
        revokedAt: null,
        expiresAt: { gt: new Date() },
        user: { disabled: false },
      };
      return run(() => db.session.findFirst({ where: live }));
    },
    async revoke(id) {
      if (!isId(id)) return;
      await run(() =>
        db.session.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } }),
      );
    },
    async revokeAll(userId, except) {
      const where = { userId, revokedAt: null, ...(except && { id: { not: except } }) };
      return (await run(() => db.session.updateMany({ where, data: { revokedAt: new Date() } })))
        .count;
    },
    removeExpired: () => run(() => db.$executeRaw`DELETE FROM sessions WHERE expires_at < now()`),
  };
}
