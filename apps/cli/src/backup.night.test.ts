/**
 * Backups that are cut short, without Redis, of staged images, and in the place of another file.
 */
import { chmod, cp, lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeLayout } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  here,
  hereEnv,
  image,
  made,
  registry,
  startInstallation,
  storeOf,
  target,
  there,
  thereEnv,
} from './backup.fixture.ts';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

startInstallation();

it('audit events that no notifier has archived yet are in a backup, and its restore archives them', async () => {
  const file = await made('--without-images');
  expect(await callCli(['restore', file], { env: thereEnv })).toMatchObject({ code: 0, err: '' });
  const { items } = await (await storeOf(target, there)).audit.list({});
  expect(items).toContainEqual(
    expect.objectContaining({
      event: 'user.create',
      resource: expect.objectContaining({ name: 'root' }),
    }),
  );
});

it('a backup without Redis reports which events it lacks', async () => {
  const file = path.join(here.path, 'made.tar');
  const away = { ...hereEnv, REDIS_URL: 'redis://127.0.0.1:1' };
  const ran = await callCli(['backup', file, '--without-images'], { env: away });
  expect(ran).toMatchObject({
    code: 0,
    out: expect.stringContaining('audit events that were not archived yet'),
  });
});

it('--staged includes staged images with each blob once, and the restore creates hard links again', async () => {
  const layouts = ['job-1', 'job-2'].map((job) => path.join('cache', 'staging', job));
  for (const layout of layouts) await writeLayout(path.join(here.path, layout), image);
  const without = await stat(await made('--without-images'));
  const file = await made('--without-images', '--with-staging');
  const size = image.blobs.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  expect((await stat(file)).size - without.size).toBeLessThan(1.5 * size);
  expect(await callCli(['restore', file], { env: thereEnv })).toMatchObject({ code: 0, err: '' });
  for (const { descriptor } of image.blobs) {
    const blob = descriptor.digest.replace(':', '/');
    const files = [
      path.join('cache', 'blobs', blob),
      ...layouts.map((each) => path.join(each, 'blobs', blob)),
    ];
    const found = await Promise.all(files.map((place) => stat(path.join(there.path, place))));
    expect(new Set(found.map(({ ino }) => ino)).size, blob).toBe(1);
  }
  expect(await readFile(path.join(there.path, 'cache/staging/job-2/index.json'), 'utf8')).toContain(
    image.digest,
  );
});

it.each([
  [
    'a file that everybody may read',
    async (draft: string, old: string) => {
      await writeFile(draft, 'old');
      await writeFile(old, 'old');
      await chmod(draft, 0o666);
    },
  ],
  [
    'a link to another file',
    async (draft: string, old: string) => {
      await writeFile(old, 'old', { mode: 0o666 });
      await symlink(old, draft);
    },
  ],
])('a backup in whose place there is already %s is a new file for one account', async (_, put) => {
  const [file, old] = [path.join(here.path, 'taken.tar'), path.join(here.path, 'old')];
  await put(`${file}.part`, old);
  const ran = await runCli(['backup', file, '--without-images'], { env: hereEnv });
  expect(ran).toMatchObject({ code: 0, err: '' });
  const found = await lstat(file);
  expect(found.isFile()).toBe(true);
  expect(found.mode & 0o777).toBe(0o600);
  expect(await readFile(old, 'utf8')).toBe('old');
});

it('a backup of an image that lacks a part is written, and ends with status 1', async () => {
  const storage = path.join(there.path, 'lacking');
  await cp(registry.storageDir, storage, { recursive: true });
  const hex = image.blobs[0]?.descriptor.digest.slice('sha256:'.length) ?? '';
  await rm(path.join(storage, 'docker/registry/v2/blobs/sha256', hex.slice(0, 2), hex, 'data'));
  const env = { ...hereEnv, REGISTRY_STORAGE: storage };
  const ran = await callCli(['backup', path.join(there.path, 'made.tar')], { env });
  expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('1 manifest(s) lack a part') });
});
