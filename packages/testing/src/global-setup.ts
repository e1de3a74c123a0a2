/**
 * Global set-up: one PostgreSQL for a whole run of the integration tests, in which `createDatabase`
 * creates a database per test file.
 */
import { setSharedPostgresUrl } from './config.ts';
import { startPostgres } from './servers/postgres.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  setSharedPostgresUrl(server.url);
  return async () => {
    setSharedPostgresUrl(undefined);
    await server.stop();
  };
}
