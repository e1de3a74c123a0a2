import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseLayerCount } from './base-layers.ts';

const layer = (created_by: string) => ({ created_by });
const empty = (created_by: string) => ({ created_by, empty_layer: true });

describe('the layers of the base image', () => {
  it.each<[string, object[], number, number]>([
    [
      'end with the command of the base, as Docker writes it',
      [
        layer('/bin/sh -c #(nop) ADD file:1 in / '),
        empty('/bin/sh -c #(nop)  CMD ["bash"]'),
        layer('/bin/sh -c apt-get install -y nginx'),
        empty('/bin/sh -c #(nop)  CMD ["nginx"]'),
      ],
      2,
      1,
    ],
    [
      'end with the command of the base, as BuildKit writes it',
      [
        layer('ADD alpine.tar.gz / # buildkit'),
        layer('RUN apk add node'),
        empty('CMD ["node"]'),
        layer('COPY . /app # buildkit'),
        layer('RUN npm ci'),
        empty('ENTRYPOINT ["npm", "start"]'),
      ],
      4,
      2,
    ],
    [
      "are the first one on Debian's own image, which has no command",
      [layer("# debian.sh --arch 'amd64' out/ 'bookworm'"), layer('RUN apt-get update')],
      2,
      1,
    ],
    [
      'are unknown where the image is a base itself',
      [layer('ADD rootfs.tar / # buildkit'), empty('CMD ["sh"]')],
      1,
      0,
    ],
    ["are unknown for Debian's own image", [layer("# debian.sh --arch 'amd64'")], 1, 0],
    ['are unknown where no step is a command', [layer('COPY a /'), layer('COPY b /')], 2, 0],
    [
      'are unknown where the history has another number of layers',
      [layer('ADD a /'), empty('CMD ["sh"]'), layer('COPY b /')],
      3,
      0,
    ],
    ['are unknown without a history', [], 1, 0],
  ])('%s', (_, history, layers, expected) => {
    expect(baseLayerCount(history, layers)).toBe(expected);
  });

  it('are fewer than all layers whatever the history says', () => {
    fc.assert(
      fc.property(fc.anything(), fc.nat(10), (history, layers) => {
        const count = baseLayerCount(history, layers);
        expect(count).toBeGreaterThanOrEqual(0);
        expect(count === 0 || count < layers).toBe(true);
      }),
    );
  });
});
