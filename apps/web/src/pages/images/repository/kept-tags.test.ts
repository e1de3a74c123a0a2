import { expect, it } from 'vitest';
import { namingKept } from './kept-tags.ts';

const removal = (count: number, ...tags: string[]) => ({
  status: 'fulfilled' as const,
  value: {
    reasons: [
      { code: 'TAG_IMMUTABLE', count, tags },
      { code: 'IMAGE_UNKNOWN', count: 1, tags: ['gone'] },
    ],
  },
});
const sentence = (count: number, names: string) => `${count} kept: ${names}`;
const resultOf = (count: number) => ({
  ...{ done: 1, refused: count + 1, failed: 0 },
  reasons: [
    { code: 'TAG_IMMUTABLE', count },
    { code: 'IMAGE_UNKNOWN', count: 1 },
  ],
});

it('names the immutable tags of each request, and no others', () => {
  const removals = [removal(2, 'v1', 'v2'), removal(1, 'v3')];
  const { reasons } = namingKept(resultOf(3), removals, sentence);
  expect(reasons.map(({ text }) => text)).toEqual(['3 kept: v1, v2, v3', undefined]);
});

it('says that there are more than it names', () => {
  const failed = { status: 'rejected' as const, reason: new Error('gone') };
  const many = Array.from({ length: 20 }, (_, n) => `v${n}`);
  const { reasons } = namingKept(resultOf(30), [removal(30, ...many), failed], sentence);
  expect(reasons[0]?.text).toBe(`30 kept: ${many.join(', ')}, …`);
});
