/**
 * Tests wait for effects, with one helper: `eventually`, or the polling of Vitest and Playwright.
 * They neither sleep nor measure time: what is true on a quiet machine only is not tested. Time
 * passes in one file, whose functions say what they are for, and which says how long a test waits.
 * Nor do they count what other tests move.
 */
import { expect, it } from 'vitest';
import { codeOf, ofTests } from './sources.ts';

const WHERE_TIME_PASSES = 'packages/testing/src/eventually.ts';

const CLOCK = String.raw`(?:performance|Date)\.now\(\)`;

/** Each matches once per place. */
const KINDS: Record<string, RegExp> = {
  // PostgreSQL rounds it to a millisecond, and may so place it in the future.
  'an end that is now': /_until = now\(\)(?! -)/g,
  'a sleep of the page': /\bwaitForTimeout\(/g,
  'a timer that is awaited':
    /import \{[^}]*\b(?:setTimeout|setInterval|scheduler)\b[^}]*\} from '(?:node:)?timers\/promises'/g,
  'a timer that only resolves': /\bsetTimeout\(\s*\w+\s*,/g,
  'a sleep of the thread': /\bAtomics\.wait\(|\bpromisify\(setTimeout\)/g,
  'an assertion on a time': new RegExp(
    String.raw`\bexpect\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?${CLOCK}\s*-`,
    'g',
  ),
  'a duration': new RegExp(
    String.raw`=\s*\(?${CLOCK}\s*-\s*\w+\)?(?:\s*\/\s*[\d_]+)?;|\bpush\(${CLOCK}\s*-\s*\w+\)`,
    'g',
  ),
  'a measured cost': /\bcpuUsage\(\w|\bhrtime\b/g,
  // A brace before the clock begins the body of a loop over items.
  'a loop until a time': new RegExp(
    String.raw`\bif \(${CLOCK}\s*>=?\s*\w+\)\s*(?:throw|break|return)|\bfor \([^;{]*${CLOCK}|${CLOCK}\s*<\s*\w+\s*[;)]\s*(?!throw)`,
    'g',
  ),
  // The tests of other files, in other databases of the same server, move these.
  'a count of a whole server':
    /\bpg_(?:current_)?snapshot\w*\(|\bpg_stat_database\b|\bpg_(?:locks|stat_activity)\b(?![^;]*(?:current_database\(\)|application_name|relation =))/g,
  // It gives up after a second: `expect.poll` and `eventually` wait as long as tests do.
  'a wait of Vitest': /\bvi\.wait(?:For|Until)\(/g,
  'a time limit that is a number': /\btimeout: [\d_]{4,}|\bAbortSignal\.timeout\(\s*[\d_]{5,}/g,
  'a time limit of a test or a hook': /^\s*\}, [\d_]{4,}\);|^\s*\},\n\s*[\d_]{4,},\n\s*\);/gm,
  'a poll of the clock': /\b(?:poll|eventually)\(\s*(?:\(\) => )?(?:performance|Date)\.now\b/g,
};

/** The places of a text that wait or measure. */
function waits(code: string): string[] {
  return Object.entries(KINDS).flatMap(([kind, pattern]) =>
    [...code.matchAll(pattern)].map(() => kind),
  );
}

const found = ofTests
  .filter(({ file }) => file !== WHERE_TIME_PASSES)
  .map((source) => ({ file: source.file, kinds: waits(codeOf(source)) }))
  .filter(({ kinds }) => kinds.length > 0);

it('no test sleeps, measures time, or has a separate polling loop', () => {
  const places = Object.fromEntries(found.map(({ file, kinds }) => [file, kinds]));
  expect(places).toEqual({});
});
