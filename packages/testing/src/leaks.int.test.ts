import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findLeaks } from './leaks.ts';
import { temporaryDir } from './temporary.ts';

it('a process, a server and a directory are detected, and no longer once they are gone', async () => {
  const before = findLeaks();
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dir = await temporaryDir();
  const leaks = findLeaks().filter((leak) => !before.includes(leak));
  expect(leaks).toEqual([
    `process ${child.pid} (sleep)`,
    'a listening server',
    expect.stringContaining('pct-'),
  ]);
  child.kill();
  server.close();
  await Promise.all([once(child, 'exit'), once(server, 'close'), dir.remove()]);
  expect(findLeaks()).toEqual(before);
});
