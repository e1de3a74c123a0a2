import { expect, it } from 'vitest';
import { barLine, bytesText, createProgress } from './progress.ts';

function written(isTTY: boolean, plain: boolean) {
  const texts: string[] = [];
  const stream = { isTTY, columns: 60, write: (text: string) => texts.push(text) };
  const progress = createProgress(stream, { plain });
  for (const done of [0, 512]) progress.show({ step: 'pulling', done, total: 1024, rate: 2048 });
  progress.show({ step: 'scanning', done: 1024, total: 1024, rate: null });
  progress.clear();
  return texts;
}

it('is one line per step in a log', () => {
  expect(written(false, false)).toEqual(['pulling\n', 'scanning\n']);
  expect(written(true, true)).toEqual(['pulling\n', 'scanning\n']);
});

it('is a bar on a terminal, never wider than it, and removed at the end', () => {
  const texts = written(true, false);
  expect(texts).toHaveLength(4);
  expect(texts.every((text) => text.startsWith('\r\u001b[2K') && text.length <= 64)).toBe(true);
  expect(texts.at(-1)).toBe('\r\u001b[2K');
});

it('shows the share, the bytes and the rate', () => {
  const line = barLine({ step: 'pulling', done: 512, total: 2048, rate: 1_048_576 });
  expect(line).toBe(`${'█'.repeat(6)}${'░'.repeat(18)}  25 %  512 B / 2.0 KiB  1.0 MiB/s  pulling`);
});

it('shows the step alone before the size is known', () =>
  expect(barLine({ step: 'waiting', done: 0, total: 0, rate: null })).toBe('waiting'));

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [5 * 1024 ** 3, '5.0 GiB'],
])('%s bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));
