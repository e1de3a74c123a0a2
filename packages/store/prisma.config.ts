import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

/**
 * Configuration of Prisma's command line, which downloads a native schema engine before any command
 * unless a file is configured. Ours is a wrapper around the wasm engine from npm, so nothing is
 * downloaded.
 */
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL('./scripts/schema-engine.mjs', import.meta.url),
);
process.env.CHECKPOINT_DISABLE ??= '1';

export default defineConfig({
  schema: '../../prisma/schema.prisma',
  migrations: { path: '../../prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://unset' },
});
