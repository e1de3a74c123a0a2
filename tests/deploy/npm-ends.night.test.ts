/** A signal to npm alone, as a service manager or `kill` sends it: npm does not forward it. */
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { it, onTestFinished } from 'vitest';
import { processesOf, startByNpm, until } from '../support/product.ts';

async function expectNothingRuns(dataDir: string): Promise<void> {
  let left: string[] = [];
  await until(
    async () => {
      left = await processesOf(dataDir);
      return left.length === 0;
    },
    () => left.join('\n'),
  );
}

async function start() {
  const dir = await temporaryDir();
  onTestFinished(() => dir.remove());
  const dataDir = path.join(dir.path, 'data');
  const product = await startByNpm(dataDir, { TRIVY_ENABLED: 'false' });
  onTestFinished(() => product.stop());
  const [npm = ''] = (await processesOf(dataDir)).filter((line) => /^\d+ npm start/.test(line));
  return { dataDir, product, npm: Number.parseInt(npm, 10) };
}

it.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  '%s to npm ends the whole product (O6)',
  async (signal) => {
    const { dataDir, npm } = await start();
    process.kill(npm, signal);
    await expectNothingRuns(dataDir);
  },
);

it('ends the whole product where the reader of its output ended first', async () => {
  const { dataDir, product, npm } = await start();
  product.child.stdout?.destroy();
  product.child.stderr?.destroy();
  process.kill(npm, 'SIGTERM');
  await expectNothingRuns(dataDir);
});
