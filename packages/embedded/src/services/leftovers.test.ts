import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { identityOf, isAlive } from '@portcullis/runtime';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { endLeftovers, recordProcess } from './leftovers.ts';

it('what an earlier supervisor left running is ended and named, and what ended is not', async () => {
  const dir = await temporaryDir();
  const folder = join(dir.path, 'running');
  const child = spawn('sleep', ['600'], { detached: true });
  await once(child, 'spawn');
  const identity = identityOf(child.pid ?? 0) ?? '';
  recordProcess(folder, { name: 'registry', identity, stopSignal: 'SIGTERM' });
  recordProcess(folder, { name: 'api', identity: '1 another start', stopSignal: 'SIGTERM' });
  expect(await endLeftovers(folder, ['registry'])).toEqual(['registry']);
  expect(isAlive(identity)).toBe(false);
  expect(await endLeftovers(folder, ['registry'])).toEqual([]);
  await dir.remove();
});
