/** Commit subjects fit into a line of `git log` and state the type of change. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

/** The rule applies after this commit; a shallow clone is checked as far as it goes. */
const BEGINNING = 'ce54575';
const CONVENTIONAL =
  /^(?:feat|fix|docs|style|refactor|perf|test|bench|build|ci|chore|revert)(?:\([\w/, -]+\))?!?: \S/;

it('every commit has a conventional subject of at most 72 characters', () => {
  const wrong = subjects().filter((subject) => subject.length > 72 || !CONVENTIONAL.test(subject));
  expect(wrong).toEqual([]);
});

function subjects(): string[] {
  const log = (...range: string[]) =>
    execFileSync('git', ['log', '--no-merges', '--format=%s', ...range], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    return log(`${BEGINNING}..HEAD`).split('\n').filter(Boolean);
  } catch {
    return log('-n', '20').split('\n').filter(Boolean);
  }
}
