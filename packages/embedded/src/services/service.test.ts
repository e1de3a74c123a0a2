import { expect, it } from 'vitest';
import { startService, untilReady } from './service.ts';

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
