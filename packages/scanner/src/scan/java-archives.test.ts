import { expect, it } from 'vitest';
import { applyLayer } from './java-archives.ts';

async function* names(all: string[]): AsyncGenerator<string> {
  yield* all;
}

it.each<[string, string[][], string[]]>([
  [
    'are found by their endings, in any case',
    [['app/a.jar', './b.WAR', '/c.ear', 'd.par', 'e.zip']],
    ['app/a.jar', 'b.WAR', 'c.ear', 'd.par'],
  ],
  [
    'are removed by a whiteout of the file',
    [['app/a.jar', 'app/b.jar'], ['app/.wh.a.jar']],
    ['app/b.jar'],
  ],
  [
    'are removed by a whiteout of the directory',
    [['app/lib/a.jar', 'application.jar'], ['.wh.app']],
    ['application.jar'],
  ],
  [
    'are removed by an opaque directory, except those beside the whiteout',
    [['app/a.jar'], ['app/b.jar', 'app/.wh..wh..opq']],
    ['app/b.jar'],
  ],
  [
    'are omitted where their paths are longer than any file system allows',
    [['app/a.jar', `${'d/'.repeat(400_000)}b.jar`]],
    ['app/a.jar'],
  ],
  ['are all removed by an opaque root', [['a.jar'], ['.wh..wh..opq']], []],
])('S9: the Java archives of an image %s', async (_, layers, expected) => {
  const archives = new Set<string>();
  for (const layer of layers) await applyLayer(names(layer), archives);
  expect([...archives].sort()).toEqual(expected);
});

it('of a layer that is made of archives with long paths are limited in number', async () => {
  const archives = new Set<string>();
  const long = Array.from({ length: 10_000 }, (_, at) => `${'d/'.repeat(500)}${at}.jar`);
  await applyLayer(names(long), archives);
  expect(archives.size).toBeGreaterThan(500);
  expect([...archives].join('').length).toBeLessThanOrEqual(1024 * 1024);
  await applyLayer(names(['.wh..wh..opq']), archives);
  expect(archives.size).toBe(0);
});
