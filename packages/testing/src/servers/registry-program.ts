/** Registries of other projects, each a Go program built from tools/go. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Service, startService, untilReady } from '@portcullis/embedded';
import { testEnv } from '../config.ts';
import { type GoProgram, goProgram } from '../tools/go-program.ts';
import { type ServerSlot, startInSlot, type TestServer } from './server.ts';

export interface GoRegistry {
  /** The folder of its module below tools/go. */
  module: GoProgram;
  args: (place: ServerSlot) => string[] | Promise<string[]>;
}

export async function startRegistryProgram(program: GoRegistry): Promise<TestServer> {
  const command = await goProgram(program.module);
  return startInSlot(async (place) => {
    const service = await startService({
      name: program.module,
      command,
      args: await program.args(place),
      env: { PATH: testEnv.PATH, HOME: place.dir.path },
      cwd: place.dir.path,
    });
    const url = `http://127.0.0.1:${place.port}`;
    await readyOrStopped(service, url);
    return { service, url };
  });
}

async function readyOrStopped(service: Service, url: string): Promise<void> {
  await untilReady(service, () => answers(`${url}/v2/`)).catch(async (error) => {
    await service.stop();
    throw error;
  });
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

/** The version of `dependency` that the module's go.mod requires. */
export async function pinnedVersion(module: string, dependency: string): Promise<string> {
  const path = join(import.meta.dirname, '../../../../tools/go', module, 'go.mod');
  const required = (await readFile(path, 'utf8'))
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^require /, '')
        .split(' '),
    )
    .find(([name]) => name === dependency);
  return required?.[1]?.replace(/^v/, '') ?? 'unknown';
}
