import { expect, it } from 'vitest';
import { createServerWarnings } from './server-warnings.ts';

const WARNING = '2026-11-28T14:00:00Z\tWARN\tVersion matching error\terr="banana"\n';
const MARK = 'mark-1';
const MARKED = `2026-11-28T14:00:01Z\tWARN\tInvalid relationship: ${MARK}\n`;
const never = new AbortController().signal;

it('a warning before the mark counts, wherever the text is cut and however late it comes', async () => {
  const text = WARNING + MARKED + WARNING;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const warnings = createServerWarnings();
    const counted = warnings.countBefore(MARK, never);
    warnings.read(text.slice(0, cut));
    warnings.read(text.slice(cut));
    expect([await counted, warnings.count()]).toEqual([1, 2]);
  }
});

it.each([
  ['harmless', '2026-11-28T14:00:00Z\tWARN\tUnsupported os\n', 0],
  [
    'of a level that is no warning',
    '2026-11-28T14:00:00Z\tINFO\tDetecting vulnerabilities...\n',
    0,
  ],
  ['an error', '2026-11-28T14:00:00Z\tERROR\tfailed scan\n', 1],
  ['longer than what is kept of a line', WARNING.replace('banana', 'x'.repeat(200_000)), 1],
])('a line that is %s', async (_, line, expected) => {
  const warnings = createServerWarnings();
  const counted = warnings.countBefore(MARK, never);
  for (let at = 0; at < line.length; at += 4096) warnings.read(line.slice(at, at + 4096));
  warnings.read(MARKED);
  expect(await counted).toBe(expected);
});

it('several marks are each found at their place', async () => {
  const warnings = createServerWarnings();
  const both = Promise.all([
    warnings.countBefore('mark-a', never),
    warnings.countBefore('mark-b', never),
  ]);
  warnings.read(MARKED.replace(MARK, 'mark-b') + WARNING + MARKED.replace(MARK, 'mark-a'));
  expect(await both).toEqual([1, 0]);
});

it('without the mark there is no number, but a failure', async () => {
  const warnings = createServerWarnings();
  const left = new AbortController();
  const counted = warnings.countBefore(MARK, left.signal);
  warnings.read(WARNING);
  left.abort();
  await expect(counted).rejects.toMatchObject({ code: 'REMATCH_FAILED' });
  const waiting = warnings.countBefore(MARK, never);
  warnings.end();
  await expect(waiting).rejects.toMatchObject({ code: 'REMATCH_FAILED' });
  await expect(warnings.countBefore(MARK, never)).rejects.toMatchObject({ code: 'REMATCH_FAILED' });
});
