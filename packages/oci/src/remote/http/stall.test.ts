import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStallDetector } from './stall.ts';

const PACE = { idleMs: 60_000, bytesPerSecond: 1024, windowMs: 60_000 };

/** Whether reading from a source that sends `bytes` every `everyMs` fails within an hour. */
function givenUp(bytes: number, everyMs: number): boolean {
  const detector = createStallDetector(PACE, 'slow.example');
  try {
    for (let ms = 0; ms < 3_600_000; ms += everyMs) detector.note(everyMs, bytes);
    return false;
  } catch {
    return true;
  }
}

describe('F2: the minimum rate', () => {
  it.each([
    ['a byte a second', 1, 1000, true],
    ['60 KiB once in 61 s', 60 * 1024, 61_000, true],
    ['2 KiB a second', 2048, 1000, false],
    ['1 MiB in a burst every 50 s', 1024 * 1024, 50_000, false],
  ])('%s', (_, bytes, everyMs, expected) => expect(givenUp(bytes, everyMs)).toBe(expected));

  it('reports the bytes received and the host', () => {
    const detector = createStallDetector(PACE, 'slow.example');
    expect(() => detector.note(61_000, 10)).toThrow('slow.example is too slow: 10 bytes in 61 s');
  });

  it('never ends a source that keeps it, however the bytes are split', () => {
    const pieces = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 0, max: 10 })),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(pieces, (cuts) => {
        const detector = createStallDetector(PACE, 'host');
        for (const [ms, surplus] of cuts)
          detector.note(ms, Math.ceil((ms * 1024) / 1000) + surplus);
      }),
    );
  });

  it('of 0 disables the check', () => {
    expect(() =>
      createStallDetector({ ...PACE, bytesPerSecond: 0 }, 'host').note(1e9, 0),
    ).not.toThrow();
  });
});
