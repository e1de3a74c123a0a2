import { expect, it } from 'vitest';
import { StagedLinks } from './manifest.ts';

const HEX = 'a'.repeat(64);

it.each<[string, Record<string, string>, boolean]>([
  ['a file of a layout to its blob', { [`job-1/blobs/sha256/${HEX}`]: `sha256/${HEX}` }, true],
  ['one of its manifests', { [`job-1/manifests/blobs/sha256/${HEX}`]: `sha256/${HEX}` }, true],
  ['nothing outside of the layouts', { '../../secret.key': `sha256/${HEX}` }, false],
  ['nothing at the root of the disk', { '/etc/cron.d/job': `sha256/${HEX}` }, false],
  ['nothing that is not a blob', { [`job-1/blobs/sha256/${HEX}`]: '../../secret.key' }, false],
])('a backup links %s', (_, links, expected) => {
  expect(StagedLinks.safeParse(links).success).toBe(expected);
});
