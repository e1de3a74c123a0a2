/** A file of Traefik's dynamic configuration as Traefik reads it. */
import { run } from '@portcullis/embedded';
import { testEnv } from '../config.ts';
import { goProgram } from '../tools/go-program.ts';

/** @throws unavailable `TOOL_FAILED` with what it doesn't know */
export async function checkTraefikFile(file: string): Promise<void> {
  await run(await goProgram('traefik'), [file], { env: testEnv });
}
