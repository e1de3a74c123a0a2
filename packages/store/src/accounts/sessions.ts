import type { Database } from '../database.ts';
import { isId, run, write } from '../database.ts';
import type { Session } from './records.ts';

export function createSessions(db: Database) {
  return {
    insert: (session: { id?: string; userId: string; expiresAt: Date }): Promise<Session> =>
      write({ missing: ['USER_UNKNOWN', 'there is no such account'] }, () =>
        db.session.create({ data: session }),
      ),
    /** Only an active session: not expired, not revoked, of an account that is not disabled. */
    async find(id: string): Promise<Session | null> {
      if (!isId(id)) return null;
      const live = {
        id,
        revokedAt: null,
        expiresAt: { gt: new Date() },
        user: { disabled: false },
      };
      return run(() => db.session.findFirst({ where: live }));
    },
    async revoke(id: string): Promise<void> {
      if (!isId(id)) return;
      await run(() =>
        db.session.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } }),
      );
    },
    /**
     * Revokes all sessions of an account except `except` (the one that changes its own password).
     */
    async revokeAll(userId: string, except?: string): Promise<number> {
      const where = { userId, revokedAt: null, ...(except && { id: { not: except } }) };
      return (await run(() => db.session.updateMany({ where, data: { revokedAt: new Date() } })))
        .count;
    },
    removeExpired: (): Promise<number> =>
      run(() => db.$executeRaw`DELETE FROM sessions WHERE expires_at < now()`),
  };
}
