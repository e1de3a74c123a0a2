import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  abandonReplacement,
  beginReplacement,
  commitReplacement,
  contentsOf,
} from './replaced-contents.ts';

let place: string;

beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'portcullis-replaced-'));
  await put('docker/a', 'old');
});

afterEach(() => rm(place, { recursive: true }));

async function put(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(path.join(place, file)), { recursive: true });
  await writeFile(path.join(place, file), content);
}

async function drafted(): Promise<void> {
  await beginReplacement(place);
  await put('.restoring/docker/a', 'new');
  await put('.restoring/docker/b', 'new');
}

it('the new content replaces the old one, and no other file remains', async () => {
  await drafted();
  await commitReplacement(place);
  expect(await readdir(path.join(place, 'docker'))).toEqual(['a', 'b']);
  expect(await readFile(path.join(place, 'docker/a'), 'utf8')).toBe('new');
  expect(await readdir(place)).toEqual(['docker']);
});

it('an abandoned replacement keeps the old content', async () => {
  await drafted();
  await abandonReplacement(place);
  expect(await readdir(place)).toEqual(['docker']);
  expect(await contentsOf(place)).toEqual(['docker']);
});

it.each([
  [
    'while the old content moved out',
    { '.replacing/docker/a': 'old', '.restoring/docker/a': 'new' },
  ],
  [
    'before the first of the new files moved in',
    { '.replaced/docker/a': 'old', '.restoring/docker/a': 'new' },
  ],
  [
    'while the new files moved in',
    { '.replaced/docker/a': 'old', 'other/c': 'new', '.restoring/docker/a': 'new' },
  ],
])('a replacement that was killed %s is undone by the next run', async (_, left) => {
  await rm(path.join(place, 'docker'), { recursive: true });
  for (const [file, content] of Object.entries(left)) await put(file, content);
  await beginReplacement(place);
  expect(await contentsOf(place)).toEqual(['docker']);
  expect(await readFile(path.join(place, 'docker/a'), 'utf8')).toBe('old');
});

it('a replacement that was killed with all new files in place is completed by the next run', async () => {
  await put('docker/a', 'new');
  await put('.replaced/docker/a', 'old');
  await mkdir(path.join(place, '.restoring'));
  await beginReplacement(place);
  expect(await readFile(path.join(place, 'docker/a'), 'utf8')).toBe('new');
});
