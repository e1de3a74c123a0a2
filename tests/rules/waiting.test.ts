/**
 * Tests wait for effects, with one helper: `eventually`, or the polling of Vitest and Playwright.
 * They neither sleep nor measure time: what is true on a quiet machine only is not tested.
 */
import { expect, it } from 'vitest';
import { type SourceFile, written } from './sources.ts';

/** What may remain. The number of places may only fall, and no file may be added. */
const LEFT: Record<string, number> = {
  'apps/api/src/features/folders/retention/retention.int.test.ts': 1,
  'apps/api/src/features/images/images.int.test.ts': 1,
  'apps/api/src/http/validate.test.ts': 1,
  'apps/api/src/registry/doors/pull-gate.attack.int.test.ts': 1,
  'apps/api/src/registry/smuggling.int.test.ts': 2,
  'apps/api/src/transfers.int.test.ts': 1,
  'apps/standalone/src/host-accounts.attack.night.test.ts': 2,
  'packages/oci/src/layout/blob-cache.test.ts': 1,
  'packages/queue/src/cron.test.ts': 1,
  'packages/queue/src/queues.int.test.ts': 3,
  // Its thread sleeps to show that the meter counts no such time.
  'packages/runtime/src/loop-watch.test.ts': 1,
  'packages/store/src/images/images.int.test.ts': 2,
  'tests/deploy/containers/composed.ts': 1,
  'tests/deploy/containers/product.ts': 2,
  'tests/deploy/kube/container.ts': 2,
  'tests/deploy/kube/pod.ts': 1,
  'tests/faults/storm/load.ts': 3,
  'tests/faults/storm/storm.ts': 1,
  'tests/notifier/notifications.int.test.ts': 1,
  'tests/notifier/syslog.int.test.ts': 1,
  'tests/worker/batch.ts': 3,
  'tests/worker/crash.night.test.ts': 2,
  'tests/worker/garbage.int.test.ts': 3,
  'tests/worker/harness.ts': 3,
  'tests/worker/proxy.ts': 1,
  'tests/worker/scale-out.night.test.ts': 1,
  'tests/worker/scan-on-demand.int.test.ts': 3,
  'tests/worker/schedules.int.test.ts': 1,
};

/** The same for the tests of the page. */
const LEFT_OF_THE_PAGE: Record<string, number> = {
  'tests/support/browser.ts': 5,
  'tests/support/product.ts': 2,
  'tests/support/registry-front.ts': 1,
  'tests/web/folders/web-retention.night.test.ts': 1,
};

const isOfTests = ({ file }: SourceFile) =>
  (file.startsWith('tests/') || /\.(?:test|contract|fixture)\.tsx?$/.test(file)) &&
  !file.startsWith('tests/rules/');

const CLOCK = String.raw`(?:performance|Date)\.now\(\)`;

/** Each matches once per place. */
const KINDS: Record<string, RegExp> = {
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
  'a loop until a time': new RegExp(
    String.raw`\bif \(${CLOCK}\s*>=?\s*\w+\)\s*(?:throw|break|return)|\bfor \([^;]*${CLOCK}|${CLOCK}\s*<\s*\w+\s*[;)]\s*(?!throw)`,
    'g',
  ),
};

/** The places of a text that wait or measure, without its comments. */
function waits(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
  return Object.entries(KINDS).flatMap(([kind, pattern]) =>
    [...code.matchAll(pattern)].map(() => kind),
  );
}

const found = written
  .filter(isOfTests)
  .map((source) => ({ file: source.file, kinds: waits(source.text) }))
  .filter(({ kinds }) => kinds.length > 0);

it('no test sleeps, measures time, or has a polling loop of its own, except as listed', () => {
  const places = Object.fromEntries(found.map(({ file, kinds }) => [file, kinds.length]));
  expect(places).toEqual({ ...LEFT, ...LEFT_OF_THE_PAGE });
});
