import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseManifest } from '../model/manifest.ts';
import { OCI_INDEX, OCI_MANIFEST } from '../model/media-type.ts';
import { readReferrersList } from '../model/referrers-list.ts';
import { readJson } from './json-reader.ts';
import { inSlices, type Steps } from './slices.ts';

const names = (many: number, salt: number) =>
  Array.from({ length: many }, (_, at) => `"${salt}-${at}":""`).join();

/** As large as one may be: each of five thousand children has fifty annotations. */
const index = Buffer.from(
  `{"schemaVersion":2,"manifests":[${Array.from(
    { length: 5_000 },
    (_, at) =>
      `{"mediaType":"${OCI_MANIFEST}","digest":"sha256:${'a'.repeat(64)}","size":1,"annotations":{${names(50, at)}}}`,
  )}]}`,
);

/** How often the event loop turned meanwhile. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work.finally(() => {
    isOver = true;
  });
  return turns;
}

describe('the event loop turns while the process reads', () => {
  it.each([
    ['a wide index', () => parseManifest(index, OCI_INDEX)],
    ['a long list of referrers', () => readReferrersList(index)],
  ])('%s', async (_, read) => {
    expect(await turnsOf(read())).toBeGreaterThan(1);
  });
});

it.each([
  ['a list of many values', `[${'1,'.repeat(50_000)}1]`],
  ['a list of many names', `[${'"a",'.repeat(50_000)}"a"]`],
  ['an object of many names', `{${names(10_000, 0)}}`],
  ['deep lists', `[${`${'['.repeat(99)}${']'.repeat(99)},`.repeat(500)}1]`],
  ['lists in lists', `${'['.repeat(9_999)}${']'.repeat(9_999)}`],
])('%s is read in steps of some kilobytes', (_, text) => {
  const limits = { maxDepth: 10_000, maxMembers: 10_000, maxValues: 100_000 };
  let count = 0;
  for (const reading = readJson(Buffer.from(text), limits); !reading.next().done; ) count += 1;
  expect(count).toBeGreaterThan(text.length / 32_768);
});

/** The time for computations that take steps. */
let now = 0;
function useTimeOfSteps(): void {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
}

function* steps(count: number, log: string[], name: string): Steps<string> {
  for (let at = 0; at < count; at += 1) {
    log.push(name);
    // Longer than a start and shorter than a slice.
    now += 2;
    yield;
  }
  return name;
}

it('a short computation does not wait for long ones', async () => {
  useTimeOfSteps();
  const log: string[] = [];
  const long = inSlices(steps(20, log, 'long'));
  await inSlices(steps(0, log, 'short'));
  log.push('short is over');
  expect(log).toEqual(['long', 'short is over']);
  await long;
});

it('at most four are begun at once, and all end', async () => {
  useTimeOfSteps();
  const log: string[] = [];
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(await Promise.all(names.map((name) => inSlices(steps(9, log, name))))).toEqual(names);
  const ends = names.map((name) => log.lastIndexOf(name));
  // The first step of each is its start; the second of the fifth comes after an end.
  const second = log.indexOf('e', log.indexOf('e') + 1);
  expect(Math.min(...ends)).toBeLessThan(second);
});

it('what a computation throws is thrown, at once or later', async () => {
  useTimeOfSteps();
  function* failing(after: number): Steps<void> {
    yield* steps(after, [], '');
    throw new Error('failed');
  }
  await expect(inSlices(failing(0))).rejects.toThrow('failed');
  await expect(inSlices(failing(5))).rejects.toThrow('failed');
});
