/**
 * A port in use is reported before the dependencies are installed, which takes minutes on a fresh
 * clone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { temporaryDir } from '@portcullis/testing';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A checkout without installed dependencies, with the files that the scripts read. */
async function freshCheckout(dir: string): Promise<void> {
  for (const name of ['scripts', 'prisma', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    await cp(path.join(ROOT, name), path.join(dir, name), { recursive: true });
  for (const name of ['apps/web', 'packages/contract']) {
    const filter = (from: string) => !/\/(?:node_modules|dist)(?:\/|$)/.test(from);
    await cp(path.join(ROOT, name), path.join(dir, name), { recursive: true, filter });
  }
}

async function start(
  dir: string,
  env: Record<string, string>,
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: dir,
    // The package manager that it would install with exits at once.
    env: { PATH: path.join(dir, 'bin'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, said };
}

it('O40: npm start reports a port in use before it installs anything', async () => {
  await using dir = await temporaryDir();
  await freshCheckout(dir.path);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  try {
    const refused = await start(dir.path, { PORT: port });
    expect(refused.code).toBe(1);
    expect(refused.said).toContain(`127.0.0.1:${port} is in use by another program`);
    expect(refused.said).not.toContain('installing');
    // The program ends what a killed start left running, so it has to be installed first.
    await mkdir(path.join(dir.path, 'data', 'run'), { recursive: true });
    expect((await start(dir.path, { PORT: port })).said).toContain('installing the dependencies');
  } finally {
    taken.close();
  }
});
