/** The unit of docs/guide/install.md, verified by systemd itself, and the installation steps. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireBinary, type Program, run } from '@portcullis/embedded';
import { temporaryDir, testCacheDir, testEnv, unshared } from '@portcullis/testing';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const UNIT = path.join(ROOT, 'deploy/systemd/portcullis.service');
const ANALYZE: Program = {
  names: ['systemd-analyze'],
  package: 'systemd',
  file: 'usr/bin/systemd-analyze',
  probe: ['--version'],
};

const unit = readFileSync(UNIT, 'utf8');
const page = readFileSync(path.join(ROOT, 'docs/guide/install.md'), 'utf8');

/** Systemd's own measure of what a service may do, from 0 (nothing) to 10. */
const EXPOSURE_ALLOWED = 2;

/** The program writes below /run, and its exit status doesn't tell findings from faults. */
const VERIFY = 'mount -t tmpfs tmpfs /run && { "$@" 2>&1 || true; }';

/**
 * The findings, empty where there are none. It looks for the programs of the unit, so these are
 * replaced by existing ones.
 * @throws when the program could not verify
 */
async function verify(text: string): Promise<string> {
  const said = await analyzed(text, ['verify', '--man=no', '--recursive-errors=no']);
  const findings = said.filter((line) => line.includes('portcullis.service'));
  if (findings.length === 0 && said.some((line) => line.startsWith('Failed to')))
    throw new Error(said.join('\n'));
  return findings.join('\n');
}

async function analyzed(text: string, words: readonly string[]): Promise<string[]> {
  await using dir = await temporaryDir();
  const file = path.join(dir.path, 'portcullis.service');
  await writeFile(file, text.replace('/usr/bin/node', process.execPath));
  const systemd = await acquireBinary(ANALYZE, { cacheDir: testCacheDir, env: testEnv });
  const [command = '', ...args] = [
    ...[...unshared('--mount'), 'sh', '-c', VERIFY, 'sh'],
    ...[systemd.path, ...words, file],
  ];
  return (await run(command, args, { env: { ...testEnv, ...systemd.env } })).split('\n');
}

async function exposure(text: string): Promise<number> {
  const said = await analyzed(text, ['security', '--offline=true', '--no-pager']);
  const [, found] = /exposure level for \S+ (\d+\.\d)/.exec(said.join('\n')) ?? [];
  if (found === undefined) throw new Error(said.join('\n'));
  return Number(found);
}

it('systemd finds that the unit restricts what a taken-over process can do', async () => {
  expect(await exposure(unit)).toBeLessThan(EXPOSURE_ALLOWED);
});

it('what V8 and PostgreSQL need is not restricted', () => {
  expect(unit).not.toMatch(/^(MemoryDenyWriteExecute|PrivateIPC|ProcSubset)=/m);
  expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_UNIX\b/m);
});

it('O26: systemd finds no fault in the unit', async () => {
  expect(await verify(unit)).toBe('');
});

it('O26: systemd reports a fault in a changed unit', async () => {
  expect(await verify(unit.replace('KillMode=mixed', 'KillMode=some'))).toMatch(/kill mode/);
});

it('O26: the page creates every directory and the account that the unit names', () => {
  const account = /^User=(\S+)$/m.exec(unit)?.[1] ?? '';
  expect(page).toMatch(new RegExp(`useradd .* ${account}$`, 'm'));
  const made = page.split('\n').filter((line) => line.startsWith('sudo install -d '));
  const writable = /^ReadWritePaths=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? [];
  const named = [...unit.matchAll(/(?:^WorkingDirectory|DATA_DIR|PORTCULLIS_CACHE)=(\S+)/gm)].map(
    ([, dir]) => dir ?? '',
  );
  expect(named).toHaveLength(3);
  expect(named.filter((dir) => !writable.some((each) => isWithin(dir, each)))).toEqual([]);
  const lacking = named.filter(
    (dir) => !made.some((line) => line.split(' ').some((word) => isWithin(dir, word))),
  );
  expect(lacking).toEqual([]);
  expect(made.filter((line) => !line.includes(`-o ${account} -g ${account}`))).toEqual([]);
});

function isWithin(dir: string, other: string): boolean {
  return other.startsWith('/') && (dir === other || dir.startsWith(`${other}/`));
}
