import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';

export function createSettings(db: Database) {
  return {
    async find(key: string): Promise<unknown> {
      return (await run(() => db.setting.findUnique({ where: { key } })))?.value ?? null;
    },
    async set(key: string, value: unknown): Promise<void> {
      const written = {
        value: value === null || value === undefined ? Prisma.JsonNull : json(value),
        updatedAt: new Date(),
      };
      await run(() =>
        db.setting.upsert({ where: { key }, create: { key, ...written }, update: written }),
      );
    },
    async remove(key: string): Promise<void> {
      await run(() => db.setting.deleteMany({ where: { key } }));
    },
    async all(): Promise<Record<string, unknown>> {
      const rows = await run(() => db.setting.findMany());
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
  };
}
