/**
 * Environment variables of the integration tests: the only reader of the environment in this
 * package.
 */
import { cacheDir } from '@portcullis/embedded';

export const testEnv: NodeJS.ProcessEnv = process.env;

const PROGRAM_OPTIONS = 'PORTCULLIS_TEST_NODE_OPTIONS';

/**
 * What a process of the product inherits from a test: where programs and temporary files are, and
 * Node's compile cache and the bundles, which cut the time of its start to a quarter. All settings
 * come from the test.
 */
export const processEnv: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NODE_OPTIONS: process.env[PROGRAM_OPTIONS],
};

/** Set by the global set-up of the integration tests. */
export function setProgramOptions(options: string | undefined): void {
  if (options === undefined) delete process.env[PROGRAM_OPTIONS];
  else process.env[PROGRAM_OPTIONS] = options;
}

export const testCacheDir: string = cacheDir(process.env);

/** PostgreSQL and Redis from a container engine; see containers.ts. */
export const wantsContainers: boolean = process.env.TEST_CONTAINERS === '1';

const SHARED_POSTGRES = 'PORTCULLIS_TEST_POSTGRES';

/** Set by the global set-up of the integration tests; the processes of the tests inherit it. */
export function sharedPostgresUrl(): string | undefined {
  return process.env[SHARED_POSTGRES];
}

export function setSharedPostgresUrl(url: string | undefined): void {
  if (url === undefined) delete process.env[SHARED_POSTGRES];
  else process.env[SHARED_POSTGRES] = url;
}
