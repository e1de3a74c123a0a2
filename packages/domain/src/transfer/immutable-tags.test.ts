import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { immutablePattern, refusingPattern, type TagChange } from './immutable-tags.ts';

const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;
const SIGNATURE = `${A.replace(':', '-')}.sig`;

describe('a change of a tag', () => {
  it.each<[string, string[], TagChange, string | null]>([
    ['creates it', ['v*'], { tag: 'v1', present: null, next: A }, null],
    ['pushes its digest again', ['v*'], { tag: 'v1', present: A, next: A }, null],
    ['moves it', ['v*'], { tag: 'v1', present: A, next: B }, 'v*'],
    ['deletes it', ['v*'], { tag: 'v1', present: A, next: null }, 'v*'],
    ['deletes what does not exist', ['v*'], { tag: 'v1', present: null, next: null }, null],
    ['moves one that matches no pattern', ['v*'], { tag: 'latest', present: A, next: B }, null],
    ['deletes one that matches no pattern', ['v*'], { tag: 'x', present: A, next: null }, null],
    ['moves one in a folder without patterns', [], { tag: 'v1', present: A, next: B }, null],
    ['moves one of the second pattern', ['v*', '1.?'], { tag: '1.2', present: A, next: B }, '1.?'],
    ['moves one that a pattern only begins', ['v1'], { tag: 'v1.1', present: A, next: B }, null],
    ['moves one in another case', ['v1'], { tag: 'V1', present: A, next: B }, null],
    ['moves a signature', ['*'], { tag: SIGNATURE, present: A, next: B }, '*'],
  ])('that %s is decided', (_, globs, change, refusing) => {
    expect(refusingPattern(immutablePattern(globs), change)).toBe(refusing);
  });

  it('never changes a tag that exists and matches, whatever is tried in which order', () => {
    const glob = fc.constantFrom('*', 'v*', 'v?', '[a-v]1', '{v1,x}', 'latest');
    const tag = fc.constantFrom('v1', 'v2', 'x', 'latest', 'x1');
    const next = fc.constantFrom(A, B, null);
    fc.assert(
      fc.property(
        fc.array(glob, { maxLength: 3 }),
        fc.array(fc.record({ tag, next }), { maxLength: 30 }),
        (globs, tried) => {
          const patternOf = immutablePattern(globs);
          const tags = new Map<string, string>();
          const first = new Map<string, string>();
          for (const { tag: name, next: digest } of tried) {
            const change = { tag: name, present: tags.get(name) ?? null, next: digest };
            if (refusingPattern(patternOf, change) !== null) continue;
            if (digest === null) tags.delete(name);
            else tags.set(name, digest);
            if (digest !== null && !first.has(name)) first.set(name, digest);
          }
          for (const [name, digest] of first)
            if (patternOf(name) !== null) expect(tags.get(name)).toBe(digest);
        },
      ),
    );
  });
});
