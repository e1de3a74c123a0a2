/** The interfaces, addresses and ports of this machine, read with iproute2. Needs root. */
import { randomInt } from 'node:crypto';
import { acquireBinary, isFree, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '@portcullis/testing';

export type Ip = (...args: string[]) => Promise<string>;

export async function hostIp(): Promise<Ip> {
  const { path: command, env } = await acquireBinary(
    { names: ['ip'], package: 'iproute2', file: 'bin/ip', probe: ['-V'] },
    { cacheDir: testCacheDir, env: testEnv },
  );
  return (...args) => run(command, args, { env: { ...testEnv, ...env } });
}

/** The first three octets of a network that nothing on this machine uses. */
export async function freePrefix(ip: Ip): Promise<string> {
  const used = await ip('-4', 'addr');
  const all = Array.from({ length: 100 }, (_, nth) => `10.213.${100 + nth}`);
  const free = all.find((each) => !used.includes(` ${each}.`));
  if (free === undefined) throw new Error('no network is free');
  return free;
}

/**
 * A free port below the kernel's ephemeral range (from 32768). netavark forwards a published port
 * in the kernel, and a killed run leaves that rule: on an ephemeral port it would redirect
 * connections of unrelated servers.
 */
export async function publishedPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no port between 20000 and 30000 is free');
}
