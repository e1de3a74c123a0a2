import { expect, it } from 'vitest';
import { consoleLine } from './console-line.ts';

it.each([
  ['an information goes only into the log file', '{"level":"info","msg":"hello"}', null],
  ['a warning is shown', '{"level":"warn","msg":"slow"}', 'api: slow'],
  [
    'an error is shown with its cause',
    '{"level":"error","msg":"failed","err":{"message":"no disk"}}',
    'api: failed: no disk',
  ],
  [
    'of a long message only the first line is shown',
    '{"level":"warn","msg":"tool failed: no host\\nmore"}',
    'api: tool failed: no host',
  ],
  [
    'a cause that begins with an empty line is shown',
    '{"level":"error","msg":"failed","err":{"message":"\\nno table"}}',
    'api: failed: no table',
  ],
  ['a line that is no log entry is shown as it is', 'Error: boom', 'api: Error: boom'],
  ['so is one that only looks like an entry', '{"level":', 'api: {"level":'],
  ['an empty line is nothing', '  ', null],
])('%s', (_, line, shown) => {
  expect(consoleLine('api', line)).toBe(shown);
});
