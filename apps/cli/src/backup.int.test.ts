import { existsSync } from 'node:fs';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createPasswords } from '@portcullis/passwords';
import { skopeo, startRegistry } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  here,
  hereEnv,
  image,
  made,
  PHRASE,
  SIGNING_KEY,
  startInstallation,
  storeOf,
  target,
  there,
  thereEnv,
  UNFINISHED,
} from './backup.fixture.ts';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

startInstallation();

/** Pulled with an independent client from a registry on the restored storage. */
async function pulled(storageDir: string): Promise<string> {
  await using restored = await startRegistry({ storageDir });
  const into = `dir:${path.join(there.path, 'pulled')}`;
  const digest = path.join(there.path, 'digest');
  const from = `docker://${restored.host}/team/app:1`;
  await skopeo(
    'copy',
    '--insecure-policy',
    '--src-tls-verify=false',
    '--preserve-digests',
    '--digestfile',
    digest,
    from,
    into,
  );
  return readFile(digest, 'utf8');
}

/** Changes one byte in the middle of a layer or a row. */
async function alter(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf('"root"');
  bytes.write('"toor"', at);
  await writeFile(file, bytes);
}

it('a backup restored on another machine keeps digests, passwords and readable secrets', async () => {
  const file = await made('--with-key');
  const ran = await runCli(['restore', file], { env: thereEnv, input: PHRASE });
  expect(ran).toMatchObject({ code: 0, err: '' });

  const store = await storeOf(target, there);
  const root = await store.users.findByUsername('root');
  const passwords = createPasswords();
  expect(await passwords.verify('a long password', root?.passwordHash ?? null)).toBe(true);
  await passwords.close();
  const [hub] = await store.registries.list();
  expect(await store.registries.credentials(hub?.id ?? '')).toEqual({
    username: 'u',
    password: 'of the hub',
  });
  expect(await store.signingKeys.current()).toEqual(SIGNING_KEY);
  expect(await store.settings.find('policy')).toEqual({ note: 'a\nb\u2028c "d" \\ é' });
  const [referrer] = await store.referrers.list({
    repository: 'team/app',
    subject: `sha256:${'2'.repeat(64)}`,
    limit: 9,
  });
  expect(referrer?.annotations).toEqual({ odd: 'nul \u0000 here' });
  const images = thereEnv.REGISTRY_STORAGE ?? '';
  expect(await pulled(images)).toBe(image.digest);
  expect(UNFINISHED.filter((place) => existsSync(path.join(images, place)))).toEqual([]);
});

it('a target that is in use is refused, and replaced with --force', async () => {
  const file = await made('--without-images');
  await callCli(['create-admin', 'other'], { env: thereEnv, input: 'a long password\n' });
  const refused = await callCli(['restore', file], { env: thereEnv });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('NOT_EMPTY') });
  const forced = await callCli(['restore', file, '--force', '--json'], { env: thereEnv });
  expect(forced.code).toBe(0);
  const names = (await (await storeOf(target, there)).users.list()).items.map(
    ({ username }) => username,
  );
  expect(names).toEqual(['root']);
  // The key was not in it, and the local one does not match.
  expect(JSON.parse(forced.out).advice).toEqual([
    expect.stringContaining('2 stored secret(s) are sealed'),
  ]);
});

it.each([
  ['cut short', (file: string) => truncate(file, 20_000)],
  ['altered', (file: string) => alter(file)],
  ['no backup at all', (file: string) => writeFile(file, 'hello'.repeat(1000))],
])('a backup that is %s replaces nothing', async (_, spoil) => {
  const file = await made();
  await spoil(file);
  const ran = await callCli(['restore', file], { env: thereEnv });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('BACKUP_DAMAGED') });
  expect((await (await storeOf(target, there)).users.list()).total).toBe(0);
  const left = await readdir(there.path, { recursive: true });
  expect(left.filter((name) => name !== 'secret.key' && name !== 'images')).toEqual([]);
});

it('O9: a backup into a missing directory is refused in one sentence', async () => {
  const file = path.join(here.path, 'missing/made.tar');
  const ran = await callCli(['backup', file], { env: hereEnv, input: PHRASE });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('FOLDER_MISSING') });
  expect(ran.err).not.toMatch(/^\s+at /m);
});

it('a wrong pass phrase replaces nothing', async () => {
  const file = await made('--with-key');
  const ran = await callCli(['restore', file], { env: thereEnv, input: 'not the pass phrase\n' });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('PASS_PHRASE_WRONG') });
});
