/** For tests only: real servers, images made on the spot, and a guard against what a test leaves behind. */
export { type Certificate, makeCertificate } from './certificate.ts';
export { createDatabase, type TestDatabase } from './database.ts';
export { startPostgres } from './postgres.ts';
export { startRedis } from './redis.ts';
export { startRegistry, type TestRegistry, type TestRegistryOptions } from './registry.ts';
export type { TestServer } from './server.ts';
export { type TemporaryDir, temporaryDir } from './temporary.ts';
