import { expect, it } from 'vitest';
import { oldEnough } from './old-enough.ts';

const UNTIL = new Date('2026-12-01T10:00:00Z');
const asked: string[] = [];

function select(count: number, young: readonly string[], tags = ['4', '3', '2', '1']) {
  asked.length = 0;
  return oldEnough(tags, count, async (tag) => {
    asked.push(tag);
    return young.includes(tag) ? UNTIL : null;
  });
}

it('takes the newest tags that are old enough, and says which ones it skips until when', async () => {
  expect(await select(2, ['4', '2'])).toEqual({
    taken: ['3', '1'],
    skipped: [
      { tag: '4', until: UNTIL },
      { tag: '2', until: UNTIL },
    ],
  });
});

it('asks about no more tags than it needs', async () => {
  await select(1, []);
  expect(asked).toEqual(['4']);
  await select(1, ['4']);
  expect(asked).toEqual(['4', '3']);
});

it('takes nothing where all are too young', async () => {
  const { taken, skipped } = await select(3, ['4', '3', '2', '1']);
  expect([taken, skipped.length]).toEqual([[], 4]);
});
