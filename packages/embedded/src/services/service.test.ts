import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAlive } from '@portcullis/runtime';
import { eventually } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { startService, untilReady } from './service.ts';

/** Starts a service, and prints its identity. */
const STARTER = `
import { startService } from '${import.meta.resolve('./service.ts')}';
const args = ['-e', 'setInterval(() => {}, 1000)'];
const { identity } = await startService({ name: 'it', command: process.execPath, args, env: {} });
console.log(identity);
`;

const program = (code: string) => ({
  name: 'program',
  command: process.execPath,
  args: ['-e', code],
  env: {},
});

it('a service that ended is not ready, though another program answers on its port', async () => {
  const service = await startService(program('process.exit(3)'));
  await service.exited;
  let checks = 0;
  const answersAlways = async () => {
    checks += 1;
    return true;
  };
  await expect(untilReady(service, answersAlways)).rejects.toThrow(
    /ended at its start \(exit code 3\)/,
  );
  expect(checks).toBe(0);
});

it('a service that ends during the check is not ready', async () => {
  const service = await startService(program('setInterval(() => {}, 1000)'));
  const endsIt = async () => {
    service.kill();
    await service.exited;
    return true;
  };
  await expect(untilReady(service, endsIt)).rejects.toThrow(/signal SIGKILL/);
});

it('a service that runs is ready once the check succeeds', async () => {
  const service = await startService(program('setInterval(() => {}, 1000)'));
  let checks = 0;
  await untilReady(service, async () => ++checks === 3);
  expect(checks).toBe(3);
  await service.stop();
});

it('a service ends with the process that started it, however that is killed', async () => {
  const starter = spawn(process.execPath, ['--input-type=module', '-e', STARTER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(starter.stdout.setEncoding('utf8'), 'data')) as [string];
  const identity = line.trim();
  expect(isAlive(identity)).toBe(true);
  starter.kill('SIGKILL');
  await eventually(() => !isAlive(identity));
});
