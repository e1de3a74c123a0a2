import { expect, it } from 'vitest';
import { keepScanner, type ScannerFileState } from './scanner.ts';

it('a scanner that could not be acquired is tried again, and each state is reported', async () => {
  const states: ScannerFileState[] = [];
  let tries = 0;
  const port = {
    acquire: async (_: AbortSignal, __: Promise<unknown>, onBuild: () => void) => {
      tries += 1;
      if (tries === 2) onBuild();
      if (tries === 1) throw new Error('no network');
      return { path: '/cache/trivy', version: '0.74.0' };
    },
    write: async (state: ScannerFileState) => void states.push(state),
  };
  const { signal } = new AbortController();
  const mayBuild = Promise.resolve();
  await keepScanner({ port, mayBuild, log: () => {}, signal, retryMs: 1 });
  expect(states.map(({ state, path, message }) => [state, path, message])).toEqual([
    ['acquiring', null, 'the scanner is being set up'],
    ['unavailable', null, 'no network'],
    ['acquiring', null, 'the scanner is being set up'],
    ['building', null, 'the scanner is being built, which takes five to ten minutes'],
    ['ready', '/cache/trivy', ''],
  ]);
});
