import { expect, it } from 'vitest';
import { expiredIn } from './expired-in.ts';

const NOW = new Date('2026-11-27T00:00:00Z');
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const tagOf = (tag: string, days: number, letter: string) => ({
  ...{ tag, digest: digest(letter), found: false },
  updatedAt: new Date(NOW.getTime() - days * 86_400_000),
});
const RULE = { keepNewest: null, keepDays: 7, keep: [] };

it('the signature of an image that an index lists stays as long as the index', async () => {
  const signature = `${digest('b').replace(':', '-')}.sig`;
  const tags = [tagOf('new', 1, 'a'), tagOf('old', 9, 'c'), tagOf(signature, 9, 'd')];
  const children = async () => new Map([[digest('a'), [digest('b')]]]);
  const order = { rule: RULE, now: NOW, patternOf: () => null };
  const expired = await expiredIn({ children }, { repository: 'team/app', tags }, order);
  expect(expired.map(({ tag }) => tag)).toEqual(['old']);
});
