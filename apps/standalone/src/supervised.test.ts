import type { Exit, Service } from '@portcullis/embedded';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { Supervised } from './supervised.ts';

function serviceThatEnds(exit: Exit | null): Service {
  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  if (exit !== null) resolve(exit);
  const stop = async () => resolve({ code: 0, signal: null });
  return { name: 'worker', pid: 1, identity: '1', exited, tail: () => '', stop, kill: () => {} };
}

it.each<[string, Exit, string | null]>([
  ['was killed three times is not given up', { code: null, signal: 'SIGKILL' }, null],
  ['exited by itself three times is given up', { code: 1, signal: null }, 'worker'],
])('F10: a program that %s', async (_, exit, hopeless) => {
  await using dir = await temporaryDir();
  const said: string[] = [];
  const supervised = new Supervised({
    running: dir.path,
    logs: dir.path,
    print: (text) => said.push(text),
  });
  let starts = 0;
  const start = async () => {
    starts += 1;
    return serviceThatEnds(starts <= 3 ? exit : null);
  };
  await supervised.add({ name: 'worker', loud: true, start });
  await expect.poll(() => starts).toBe(4);
  expect(supervised.hopeless()?.name ?? null).toBe(hopeless);
  expect(said).toHaveLength(3);
  await supervised.end(['worker']);
  supervised.closeLogs();
});
