/**
 * Global set-up: one PostgreSQL for a whole run of the integration tests, in which `createDatabase`
 * creates a database per test file. Those of the change lane run the product's programs as bundles.
 */
import type { TestProject } from 'vitest/node';
import { setProgramOptions, setSharedPostgresUrl } from './config.ts';
import { bundlePrograms } from './programs/bundle-programs.ts';
import { startPostgres } from './servers/postgres.ts';

export default async function setup({ name }: TestProject): Promise<() => Promise<void>> {
  setProgramOptions(name === 'integration' ? await bundlePrograms() : undefined);
  const server = await startPostgres();
  setSharedPostgresUrl(server.url);
  return async () => {
    setSharedPostgresUrl(undefined);
    setProgramOptions(undefined);
    await server.stop();
  };
}
