import { expect, it } from 'vitest';
import { consoleLine } from './console-line.ts';

it.each([
  ['an information stays in the log file', '{"level":"info","msg":"hello"}', null],
  ['a warning is shown', '{"level":"warn","msg":"slow"}', 'api: slow'],
  [
    'an error is shown with its cause',
    '{"level":"error","msg":"failed","err":{"message":"no disk"}}',
    'api: failed: no disk',
  ],
  [
    'of a long message the first line is shown',
    '{"level":"warn","msg":"tool failed: no host\\nmore"}',
    'api: tool failed: no host',
  ],
  ['what is no entry is shown as it is', 'Error: boom', 'api: Error: boom'],
  ['so is what only looks like one', '{"level":', 'api: {"level":'],
  ['an empty line is nothing', '  ', null],
])('%s', (_, line, shown) => {
  expect(consoleLine('api', line)).toBe(shown);
});
