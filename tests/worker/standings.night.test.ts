/** A killed worker loses no announcement of a standing. */
import { expect, it } from 'vitest';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { eventsOf, harness, image, sql, startStandings } from './standings.fixture.ts';

startStandings();

it('a killed worker loses no announcement', async () => {
  const names = Array.from({ length: 30 }, (_, nth) => `killed-${nth}`);
  for (const name of names) await image(name, cleanReport());
  const passing = async () =>
    Number(
      (
        await sql.query(
          `SELECT count(*) FROM image_standings WHERE repository LIKE 'team/killed-%' AND passes`,
        )
      ).rows[0].count,
    );
  await expect.poll(passing).toBe(names.length);
  const second = await harness.startWorker();
  for (const name of names) await image(name, blockedReport());
  await second.kill('SIGKILL');
  for (const name of names) await expect.poll(() => eventsOf(name)).toEqual(['image.blocked']);
});
