import { expect, it } from 'vitest';
import { assertSameLayers } from './verify-layers.ts';

const layer = (diffId: string) =>
  ({ name: `sha256:${diffId}`, sha256: `sha256:${diffId}`, size: 1, diffId }) as const;
const image = { layers: [layer('a'), layer('b'), layer('a')] };

it('a report on the verified layers is accepted', () => {
  expect(() => assertSameLayers(['a', 'b', 'a'], image)).not.toThrow();
  expect(() => assertSameLayers([], { layers: [] })).not.toThrow();
});

it.each([
  ['another layer', ['a', 'c', 'a']],
  ['another order', ['b', 'a', 'a']],
  ['fewer layers', ['a', 'b']],
  ['more layers', ['a', 'b', 'a', 'b']],
  ['no layers', []],
])('a report on %s is refused (S1)', (_, reported) => {
  expect(() => assertSameLayers(reported, image)).toThrow(
    expect.objectContaining({ code: 'SCAN_LAYERS_MISMATCH' }),
  );
});
