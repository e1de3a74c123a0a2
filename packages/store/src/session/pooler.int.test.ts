/** PostgreSQL behind pgbouncer, which gives each transaction another session. */
import { startPooler, startPostgres } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../index.ts';

it('a schema in the URL is refused in words', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const pooler = await startPooler(server.url);
  onTestFinished(() => pooler.stop());
  await expect(migrate(`${pooler.url}?schema=own`)).rejects.toMatchObject({
    code: 'DATABASE_POOLER',
    message: expect.stringContaining('search_path'),
  });
});
