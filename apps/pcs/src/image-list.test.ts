import { describe, expect, it } from 'vitest';
import { linesIn, listedImage } from './image-list.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const line = (text: string) => ({ text, where: 'images.txt, line 3: ' });

it('a file has an image in each line, without blank lines and comments', () => {
  const file = '# base images\n\nlibrary/nginx:1.29 # web\n  redis:8\tteam/redis \n';
  expect(linesIn(file, 'images.txt')).toEqual([
    { text: 'library/nginx:1.29', where: 'images.txt, line 3: ' },
    { text: 'redis:8\tteam/redis', where: 'images.txt, line 4: ' },
  ]);
});

describe('a line', () => {
  it.each([
    ['a tag', 'library/nginx:1.29', { repository: 'library/nginx', tag: '1.29' }],
    ['no tag', 'redis', { repository: 'redis', tag: 'latest' }],
    ['a digest', `redis@${DIGEST}`, { repository: 'redis', tag: DIGEST }],
    ['a pattern', 'redis:8.*', { repository: 'redis', tags: { match: { glob: '8.*' } } }],
    ['a destination', 'redis:8 cache', { repository: 'redis', tag: '8', dest_name: 'cache' }],
    ['the host of the source', 'docker.io/redis:8', { repository: 'redis', tag: '8' }],
  ])('with %s', (_, text, image) => expect(listedImage(line(text), null)).toEqual(image));

  it('may begin with the host of a saved registry', () =>
    expect(listedImage(line('quay.io/acme/app:1'), 'quay.io')).toEqual({
      repository: 'acme/app',
      tag: '1',
    }));

  it.each([
    ['another host', 'quay.io/acme/app:1'],
    ['a wrong name', 'Redis:8'],
    ['three words', 'redis:8 cache now'],
  ])('with %s is refused by its number', (_, text) =>
    expect(() => listedImage(line(text), null)).toThrow(`images.txt, line 3: ${text}: `),
  );
});
