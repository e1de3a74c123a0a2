/** What acquire.int and acquire-go.night start, and how they look at it. */
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDir, temporaryDir, testEnv } from '@portcullis/testing';
import { afterAll, beforeAll } from 'vitest';

export let dir: TemporaryDir;

export let env: NodeJS.ProcessEnv;

export function startAcquired(): void {
  /** The machine's programs except Go. */
  beforeAll(async () => {
    dir = await temporaryDir();
    const bin = join(dir.path, 'bin');
    await mkdir(bin);
    for (const name of (await readdir('/usr/bin')).filter((each) => each !== 'go'))
      await symlink(join('/usr/bin', name), join(bin, name));
    env = { ...testEnv, PATH: bin };
  });
  afterAll(() => dir.remove());
}
