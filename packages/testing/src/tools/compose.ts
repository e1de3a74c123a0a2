/** Loads a compose file with docker compose's own library. */
import { run } from '@portcullis/embedded';
import { testEnv } from '../config.ts';
import { goProgram } from './go-program.ts';

interface ComposeService {
  command?: string[];
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
  configs?: { source: string; target?: string }[];
}

export interface ComposeProject {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  configs: Record<string, { file: string }>;
}

/**
 * @param files merged in this order, validated by the specification's schema, and interpolated.
 * @throws unavailable `TOOL_FAILED` with the faults
 */
export async function readCompose(
  files: string | readonly string[],
  env: Record<string, string>,
): Promise<ComposeProject> {
  return JSON.parse(
    await run(await goProgram('compose'), [files].flat(), { env: { PATH: testEnv.PATH, ...env } }),
  );
}
