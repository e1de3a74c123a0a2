/** A compose file as docker compose reads it: by its own library, built from its Go module; ../compose/go.sum pins every byte. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireBinary, fillOnce, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from './config.ts';
import { GO } from './conformance.ts';

const MODULE_DIR = join(import.meta.dirname, '..', 'compose');

export interface ComposeService {
  environment?: Record<string, string | null>;
  networks?: Record<string, unknown>;
  secrets?: { source: string; target?: string }[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  user?: string;
  cap_drop?: string[];
  volumes?: { source: string; target: string }[];
  ports?: unknown[];
}

export interface ComposeProject {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

/** Checked against the specification's schema, interpolated, merged. @throws unavailable `TOOL_FAILED` with what is wrong */
export async function readCompose(file: string, env: Record<string, string>): Promise<ComposeProject> {
  const checker = await composeChecker();
  return JSON.parse(await run(checker, [file], { env: { PATH: testEnv.PATH, ...env } }));
}

async function composeChecker(): Promise<string> {
  const files = await Promise.all(
    ['go.sum', 'main.go'].map((name) => readFile(join(MODULE_DIR, name), 'utf8')),
  );
  const mark = createHash('sha256').update(files.join('')).digest('hex').slice(0, 12);
  const dir = join(testCacheDir, 'compose', mark);
  await fillOnce(dir, (draft) => build(join(draft, 'compose')));
  return join(dir, 'compose');
}

async function build(target: string): Promise<void> {
  const go = await acquireBinary(GO, { cacheDir: testCacheDir, env: testEnv });
  const fixed = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', GOWORK: 'off' };
  const env = { ...testEnv, ...go.env, ...fixed };
  await run(go.path, ['build', '-trimpath', '-o', target, '.'], { cwd: MODULE_DIR, env });
}
