import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { Settings } from '../port.ts';

export function createSettings(db: Database): Settings {
  return {
    async find(key) {
      return (await run(() => db.setting.findUnique({ where: { key } })))?.value ?? null;
    },
    async set(key, value) {
      const written = {
        value: value === null || value === undefined ? Prisma.JsonNull : json(value),
        updatedAt: new Date(),
      };
      await run(() =>
        db.setting.upsert({ where: { key }, create: { key, ...written }, update: written }),
      );
    },
    async remove(key) {
      await run(() => db.setting.deleteMany({ where: { key } }));
    },
    async all() {
      const rows = await run(() => db.setting.findMany());
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    },
  };
}
