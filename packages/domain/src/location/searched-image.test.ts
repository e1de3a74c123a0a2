import { describe, expect, it } from 'vitest';
import { searchedDigest, searchedImage, searchedWords } from './searched-image.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;

describe('a reference is found in every spelling', () => {
  it.each([
    ['nginx:1.27', { repository: 'nginx', tag: '1.27' }],
    ['library/nginx:1.27', { repository: 'library/nginx', tag: '1.27' }],
    ['docker.io/library/nginx:1.27', { repository: 'library/nginx', tag: '1.27' }],
    ['docker.io/library/nginx', { repository: 'library/nginx' }],
    ['docker://localhost/team/app:1', { repository: 'team/app', tag: '1' }],
    ['127.0.0.1:5000/team/app:1', { repository: 'team/app', tag: '1' }],
    ['oci://registry.example:8443/charts/web:0.1.0', { repository: 'charts/web', tag: '0.1.0' }],
    [`nginx@${DIGEST}`, { repository: 'nginx', digest: DIGEST }],
    ['nginx:1.27@sha256:12', { repository: 'nginx', tag: '1.27', digest: 'sha256:12' }],
    ['nginx:', { repository: 'nginx' }],
  ])('%s', (word, wanted) => {
    expect(searchedImage(word)).toEqual(wanted);
  });
});

it.each(['nginx', 'library/nginx', '1.27', DIGEST, 'sha256:12', '', '@', ':', 'docker://'])(
  'a word that is no reference is searched as it is: %s',
  (word) => {
    expect(searchedImage(word)).toBeNull();
  },
);

it.each([
  ['sha256:0123ab', 'sha256:0123ab'],
  ['0123AB', 'sha256:0123ab'],
  [DIGEST, DIGEST],
  // A part of nearly every digest.
  ['7', null],
  ['1.27', null],
  ['sha512:0123ab', null],
])('a digest is searched from its beginning: %s', (word, wanted) => {
  expect(searchedDigest(word)).toBe(wanted);
});

it('each word is searched, and not more than eight', () => {
  expect(searchedWords('  nginx\t1.27 ')).toEqual(['nginx', '1.27']);
  expect(searchedWords('a '.repeat(100))).toHaveLength(8);
});
