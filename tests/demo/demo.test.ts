/** The parts of the demonstration that need no server. */
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTree } from '../../packages/scanner/src/database/bbolt-tree.ts';
import { readArguments } from '../../tools/demo/arguments.ts';
import { claimDirs, dirsIn, removeDirs } from '../../tools/demo/dirs.ts';
import { ending } from '../../tools/demo/ending.ts';
import { productEnv } from '../../tools/demo/environment.ts';
import { createNarrator } from '../../tools/demo/narrator.ts';
import { ADVISORIES, sampleDatabase } from '../../tools/demo/sample/advisories.ts';
import { sampleImages } from '../../tools/demo/sample/images.ts';
import { newLogins, readState, writeState } from '../../tools/demo/state.ts';
import { linksIn, loginIn } from '../support/demo-run.ts';

let dir: TemporaryDir;
beforeEach(async () => {
  dir = await temporaryDir();
});
afterEach(() => dir.remove());

const STATE = {
  sourcePort: 40_000,
  logins: { ...newLogins(), robot: { username: 'cluster', password: 'pcr_token' } },
  pages: [{ path: '/dashboard', shows: 'the overview' }],
};

describe('the vulnerability database', () => {
  async function valuesOf(...buckets: string[]): Promise<Record<string, string>> {
    const file = path.join(dir.path, 'trivy.db');
    await writeFile(file, sampleDatabase());
    using tree = await openTree(file);
    let bucket = tree.root;
    for (const name of buckets) {
      const found = [...tree.entries(bucket)].find(({ key }) => key.toString() === name)?.bucket;
      if (!found) throw new Error(`there is no bucket ${name}`);
      bucket = found;
    }
    return Object.fromEntries(
      [...tree.entries(bucket)].map(({ key, value }) => [key.toString(), value?.toString() ?? '']),
    );
  }

  it('has each advisory where Trivy looks for it', async () => {
    expect(await valuesOf('debian 12', 'openssl')).toEqual({
      'CVE-2099-1001': '{"FixedVersion":"3.0.13-1"}',
    });
    expect(await valuesOf('npm::Portcullis sample data', 'lodash')).toEqual({
      'CVE-2099-1003': '{"PatchedVersions":["4.17.21"],"VulnerableVersions":["<4.17.21"]}',
    });
  });

  it('says of each vulnerability and each source that it is sample data', async () => {
    const details = Object.values(await valuesOf('vulnerability'));
    expect(details).toHaveLength(ADVISORIES.length);
    expect(details.every((each) => JSON.parse(each).Title.startsWith('Sample data: '))).toBe(true);
    const sources = Object.values(await valuesOf('data-source'));
    expect(sources.every((each) => JSON.parse(each).Name.includes('sample data'))).toBe(true);
  });
});

it('the images have different names, and the signature names what it signs', async () => {
  const images = await sampleImages();
  const names = images.map(({ repository, tag }) => `${repository}:${tag}`);
  expect(new Set(names).size).toBe(names.length);
  const signed = images.find(
    ({ repository, tag }) => repository === 'samples/signed' && tag === '1.0',
  );
  expect(names).toContain(`samples/signed:${signed?.image.digest.replace(':', '-')}.sig`);
});

it('the product gets no setting of another installation', () => {
  const source = {
    host: '127.0.0.1:40000',
    artifacts: { database: 'd', javaIndex: 'j', kev: 'k', epss: 'e' },
  };
  const given = { PATH: '/bin', DATABASE_URL: 'postgresql://other', OIDC_ENABLED: 'true' };
  const settings = { port: 1, dataDir: '/d', adminPassword: 'p', source };
  const env = productEnv(given, settings);
  expect(env).toMatchObject({ PATH: '/bin', SAMPLE_DATA: 'true', HOST: '127.0.0.1' });
  expect(env).not.toHaveProperty('DATABASE_URL');
  expect(env).not.toHaveProperty('OIDC_ENABLED');
});

it.each([
  [[], { remove: false }],
  [['--remove'], { remove: true }],
])('the arguments %j are read', (args, expected) => {
  expect(readArguments(args)).toEqual(expected);
});

it.each([[['--removed']], [['again']]])('the arguments %j are refused', (args) => {
  expect(() => readArguments(args)).toThrow('npm run demo knows -- --remove alone');
});

it('the end has each account and address, and says what the data is', () => {
  const text = ending({ ...STATE, url: 'http://127.0.0.1:8080' });
  expect(text).toContain('SAMPLE DATA');
  for (const [role, { username, password }] of Object.entries(STATE.logins))
    expect(loginIn(text, role)).toEqual([username, password]);
  expect(linksIn(text)).toEqual(['http://127.0.0.1:8080', 'http://127.0.0.1:8080/dashboard']);
});

it('long lines are wrapped below their mark, and addresses are not', () => {
  const lines: string[] = [];
  const tell = createNarrator((line) => lines.push(stripVTControlCharacters(line)));
  tell.bad(`${'word '.repeat(20)}end`);
  tell.link(`http://127.0.0.1:8080/${'a'.repeat(90)}`);
  expect(lines.map((line) => line.slice(0, 10))).toEqual([
    '    ✗ word',
    '      word',
    '    → http',
  ]);
  expect(lines.slice(0, 2).every((line) => line.length <= 80)).toBe(true);
});

it('each step is numbered and timed', async () => {
  const lines: string[] = [];
  let now = 0;
  const tell = createNarrator(
    (line) => lines.push(stripVTControlCharacters(line)),
    () => now,
  );
  await tell.step('A first step', async () => {
    tell.good('one\nand two');
    now = 1_500;
  });
  expect(lines.map((line) => line.trim())).toEqual([
    '',
    '1  A first step',
    '✓ one',
    'and two',
    '1.5 s',
  ]);
});

describe('the folder of the demonstration', () => {
  it('goes on only with what a finished story left', async () => {
    const { state } = dirsIn(dir.path);
    expect(await readState(path.join(dir.path, 'none'))).toBe(null);
    await mkdir(path.dirname(state));
    await writeState(state, STATE);
    expect(await readState(state)).toEqual(STATE);
    await writeFile(state, '{"sourcePort":1}');
    expect(await readState(state)).toBe(null);
  });

  it('is claimed by one process', async () => {
    const dirs = dirsIn(dir.path);
    await using _claimed = await claimDirs(dirs);
    await expect(claimDirs(dirs)).rejects.toThrow(`process ${process.pid}`);
  });

  it('is removed with what its links lead to, and with nothing else', async () => {
    const dirs = dirsIn(dir.path);
    const elsewhere = path.join(dir.path, 'elsewhere');
    const program = path.join(dir.path, 'trivy');
    for (const folder of [elsewhere, program, dirs.dataDir])
      await mkdir(folder, { recursive: true });
    await symlink(elsewhere, path.join(dirs.dataDir, 'postgres'));
    await removeDirs(dirs);
    expect([dirs.root, elsewhere, program].map((each) => existsSync(each))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
