/** A signal to npm alone, as a service manager or `kill` sends it: npm does not forward it. */
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { processesOf, startByNpm, until } from '../support/product.ts';

it.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  '%s to npm ends the whole product (O6)',
  async (signal) => {
    const dir = await temporaryDir();
    onTestFinished(() => dir.remove());
    const dataDir = path.join(dir.path, 'data');
    const product = await startByNpm(dataDir, { TRIVY_ENABLED: 'false' });
    onTestFinished(() => product.stop());
    const [npm = ''] = (await processesOf(dataDir)).filter((line) => /^\d+ npm start/.test(line));
    process.kill(Number.parseInt(npm, 10), signal);
    let left: string[] = [];
    await until(
      async () => {
        left = await processesOf(dataDir);
        return left.length === 0;
      },
      60_000,
      () => left.join('\n'),
    );
    expect(left).toEqual([]);
  },
  400_000,
);
