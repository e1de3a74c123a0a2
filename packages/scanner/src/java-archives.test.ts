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
  ['are gone with a whiteout of the file', [['app/a.jar', 'app/b.jar'], ['app/.wh.a.jar']], ['app/b.jar']],
  [
    'are gone with a whiteout of the directory',
    [['app/lib/a.jar', 'application.jar'], ['.wh.app']],
    ['application.jar'],
  ],
  [
    'are gone with an opaque directory, but for those beside the whiteout',
    [['app/a.jar'], ['app/b.jar', 'app/.wh..wh..opq']],
    ['app/b.jar'],
  ],
  ['are all gone with an opaque root', [['a.jar'], ['.wh..wh..opq']], []],
])('S9: the Java archives of an image %s', async (_, layers, expected) => {
  const archives = new Set<string>();
  for (const layer of layers) await applyLayer(names(layer), archives);
  expect([...archives].sort()).toEqual(expected);
});
