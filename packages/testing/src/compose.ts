/** A compose file as docker compose reads it: by its own library. */
import { run } from '@portcullis/embedded';
import { testEnv } from './config.ts';
import { goProgram } from './go-program.ts';

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
  return JSON.parse(await run(await goProgram('compose'), [file], { env: { PATH: testEnv.PATH, ...env } }));
}
