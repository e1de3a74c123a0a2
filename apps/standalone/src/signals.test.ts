import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { listenForStop } from './signals.ts';

function listening() {
  const port = new EventEmitter();
  const requests = { onStop: vi.fn(), onForce: vi.fn() };
  let now = 0;
  listenForStop(port, requests, () => now);
  return {
    ...requests,
    send: (signal: string, at: number) => {
      now = at;
      port.emit(signal);
    },
  };
}

it('one Ctrl-C that npm and the script forward too counts as one', () => {
  const { send, onStop, onForce } = listening();
  for (const at of [0, 5, 900]) send('SIGINT', at);
  expect([onStop.mock.calls, onForce.mock.calls.length]).toEqual([[['SIGINT']], 0]);
});

it('a second signal of any kind stops at once', () => {
  const { send, onStop, onForce } = listening();
  send('SIGTERM', 0);
  send('SIGINT', 1500);
  expect([onStop.mock.calls.length, onForce.mock.calls.length]).toEqual([1, 1]);
});
