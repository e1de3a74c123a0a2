/** Files that documented commands leave in the checkout, such as backups and secrets. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const LEFT = [
  ['backups', '/*.tar', '*.tar'],
  ['the files of a release', '/release/', 'release'],
  ['the secrets of compose', 'secrets/', 'secrets'],
] as const;

// The provenance of a release names a commit with changes as `-dirty`.
it.each(LEFT)('%s are not committed, and do not make the checkout dirty', (_, pattern) => {
  expect(read('.gitignore').split('\n')).toContain(pattern);
});

it.each(LEFT)('%s are not sent to the builder of images', (_, _git, pattern) => {
  expect(read('.dockerignore').split('\n')).toContain(pattern);
});

it('each documented backup to standard output is a file for one account', () => {
  const redirected = [...read('docs/guide/operations.md').matchAll(/^.*backup - >.*$/gm)].flat();
  expect(redirected).not.toEqual([]);
  expect(redirected.filter((line) => !line.startsWith('(umask 077; '))).toEqual([]);
});
