import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

/**
 * Prisma's command line fetches a native schema engine from a CDN before any command. Where a file is named, it
 * doesn't: ours answers with the wasm engine from npm, so nothing is downloaded.
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
