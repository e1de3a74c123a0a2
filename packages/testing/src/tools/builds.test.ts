import { expect, it } from 'vitest';
import { buildEach } from './builds.ts';

it('names a tool that cannot be built, and goes on with the next', async () => {
  const [built, said]: [string[], string[]] = [[], []];
  const tools = {
    zot: () => Promise.reject(new Error('no space left')),
    crane: async () => built.push('crane'),
  };
  await buildEach(tools, {
    signal: new AbortController().signal,
    log: (text) => void said.push(text),
  });
  expect(built).toEqual(['crane']);
  expect(said).toEqual(["zot can't be built, and the tests that need it will fail: no space left"]);
});

it('ends the build that is aborted, and begins no other', async () => {
  const stopping = new AbortController();
  const begun: string[] = [];
  const tools = {
    zot: (signal: AbortSignal) => {
      begun.push('zot');
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        stopping.abort(new Error('stopped'));
      });
    },
    crane: async () => begun.push('crane'),
  };
  await expect(buildEach(tools, { signal: stopping.signal, log: () => {} })).rejects.toThrow(
    'stopped',
  );
  expect(begun).toEqual(['zot']);
});
