/**
 * Runs programs of another platform on this machine: Debian's static qemu, which the kernel starts
 * for them. Needs root.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireBinary, exists, run } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '@portcullis/testing';
import type { Kind } from './platform.ts';

const BINFMT = '/proc/sys/fs/binfmt_misc';

/** Active until disposed; does nothing where the machine has an emulator for the platform. */
export async function emulated(kind: Kind): Promise<AsyncDisposableStack> {
  const registered = new AsyncDisposableStack();
  if (!(await exists(path.join(BINFMT, 'register'))))
    await run('mount', ['-t', 'binfmt_misc', 'binfmt_misc', BINFMT], { env: testEnv });
  // The name that Debian's package uses.
  const entry = path.join(BINFMT, `qemu-${kind.qemu}`);
  if (await exists(entry)) return registered;
  await writeFile(path.join(BINFMT, 'register'), await rule(kind));
  registered.defer(() => writeFile(entry, '-1'));
  return registered;
}

/**
 * A 64-bit little-endian ELF program. `F`: the emulator is opened now, so that images need not
 * contain it.
 */
async function rule({ qemu, machine }: Kind): Promise<string> {
  const name = `qemu-${qemu}-static`;
  const emulator = await acquireBinary(
    { names: [name], package: 'qemu-user-static', file: `usr/bin/${name}`, probe: ['--version'] },
    { cacheDir: testCacheDir, env: testEnv },
  );
  const magic = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...Array(9).fill(0), 2, 0, machine, 0];
  // Any ABI, and both kinds of executables.
  const mask = [...Array(7).fill(0xff), 0, ...Array(8).fill(0xff), 0xfe, 0xff, 0xff, 0xff];
  return `:qemu-${qemu}:M::${escaped(magic)}:${escaped(mask)}:${emulator.path}:F`;
}

function escaped(bytes: number[]): string {
  return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
