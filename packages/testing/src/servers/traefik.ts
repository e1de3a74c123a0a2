/** Loads a file of Traefik's dynamic configuration with Traefik's own code. */
import { run } from '@portcullis/embedded';
import { testEnv } from '../config.ts';
import { goProgram } from '../tools/go-program.ts';

/** @throws unavailable `TOOL_FAILED` with the unknown options */
export async function checkTraefikFile(file: string): Promise<void> {
  await run(await goProgram('traefik'), [file], { env: testEnv });
}
