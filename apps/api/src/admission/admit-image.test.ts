import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdmitImage } from './admit-image.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => {});

function admitting(resolve: () => Promise<string>) {
  return createAdmitImage({
    ...{ hosts: new Set(['registry.example.com']), foreign: 'deny', platforms: [], resolve },
    gate: { decide: never, preview: never },
    folders: async () => new Set<string>(),
    detailsUrl: () => null,
  });
}

it('what is not decided in time is not admitted, however little it heeds', async () => {
  const admit = admitting(never);
  const answers = ['app:1', 'app:2'].map((name) =>
    admit(`registry.example.com/prod/${name}`, { isDryRun: false }),
  );
  await vi.advanceTimersByTimeAsync(2_500);
  for (const { admission } of await Promise.all(answers))
    expect(admission).toMatchObject({ outcome: 'undecided', code: 'TIMEOUT' });
});

it('images that are asked about at once are decided once, those to try out apart', async () => {
  const resolve = vi.fn(async () => `sha256:${'a'.repeat(64)}`);
  const admit = admitting(resolve);
  const ask = (isDryRun: boolean) => admit('registry.example.com/prod/app:1', { isDryRun });
  const all = Promise.all([ask(false), ask(false), ask(true), ask(false)]);
  await vi.advanceTimersByTimeAsync(2_500);
  await all;
  expect(resolve).toHaveBeenCalledTimes(2);
  void ask(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(resolve).toHaveBeenCalledTimes(3);
});
