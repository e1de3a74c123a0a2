/** The interfaces of this machine, by iproute2. Needs root. */
import { acquireBinary, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '@portcullis/testing';

export type Ip = (...args: string[]) => Promise<string>;

export async function hostIp(): Promise<Ip> {
  const { path: command, env } = await acquireBinary(
    { names: ['ip'], package: 'iproute2', file: 'bin/ip', probe: ['-V'] },
    { cacheDir: testCacheDir, env: testEnv },
  );
  return (...args) => run(command, args, { env: { ...testEnv, ...env } });
}

/** The first three parts of the addresses of a network that nothing on this machine uses. */
export async function freePrefix(ip: Ip): Promise<string> {
  const used = await ip('-4', 'addr');
  const all = Array.from({ length: 100 }, (_, nth) => `10.213.${100 + nth}`);
  const free = all.find((each) => !used.includes(` ${each}.`));
  if (free === undefined) throw new Error('no network is free');
  return free;
}
