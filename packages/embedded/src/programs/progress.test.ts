import { expect, it } from 'vitest';
import { withProgress } from './progress.ts';

it('O13: long work reports its start, its progress and its duration', async () => {
  const lines: string[] = [];
  let release = () => {};
  const running = withProgress(
    {
      doing: 'fetching x',
      log: (text) => lines.push(text),
      detail: async () => '3 MB',
      everyMs: 1,
    },
    () => new Promise<string>((resolve) => (release = () => resolve('x'))),
  );
  await expect.poll(() => lines.length).toBeGreaterThan(2);
  release();
  expect(await running).toBe('x');
  expect(lines[0]).toBe('fetching x');
  expect(lines[1]).toMatch(/^still fetching x: \d+ s, 3 MB$/);
  expect(lines.at(-1)).toMatch(/^done fetching x \(\d+ s\)$/);
});

it('failed work is not reported as done', async () => {
  const lines: string[] = [];
  const failing = withProgress(
    { doing: 'fetching x', log: (text) => lines.push(text) },
    async () => {
      throw new Error('no network');
    },
  );
  await expect(failing).rejects.toThrow('no network');
  expect(lines).toEqual(['fetching x']);
});
