/**
 * docs/guide/faults.md is complete and current: it explains every code that a caller or an operator
 * may see.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FIELD_FAULTS } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { apiFaults, FILE, reference } from '../../tools/config-reference/fault-reference.ts';
import {
  API_FAULTS,
  COMMAND_FAULTS,
  FIELD_FAULT_WORDS,
  JOB_FAULTS,
  START_FAULTS,
} from '../../tools/config-reference/fault-words.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ofApi = Object.values(API_FAULTS).flatMap((words) => Object.keys(words));
const ofJobs = Object.values(JOB_FAULTS).flatMap((words) => Object.keys(words));
const ofProcesses = [START_FAULTS, COMMAND_FAULTS].flatMap((words) => Object.keys(words));
const explained = [...ofApi, ...ofJobs, ...ofProcesses];

/** Faults of callers inside the product: an operator who sees one reports a bug. */
const INTERNAL = new Set([
  'CREDENTIAL_INVALID',
  'DATABASE_SOURCE_INVALID',
  'JOB_ID_INVALID',
  'JSON_INVALID',
  'PLATFORM_INVALID',
  'REPORT_NOT_CONVERTED',
  'REPORT_NOT_FOUND',
]);

describe('docs/guide/faults.md', () => {
  it("explains exactly the contract's codes as those of the REST API", () => {
    expect(ofApi.toSorted()).toEqual([...apiFaults().keys()].toSorted());
  });

  it('explains exactly the codes of wrong fields', () => {
    expect(Object.keys(FIELD_FAULT_WORDS).toSorted()).toEqual(Object.keys(FIELD_FAULTS).toSorted());
  });

  it('explains every code of jobs, tasks and the command', () => {
    expect(
      thrownBelow(
        'packages/oci',
        'packages/scanner',
        'packages/local-registry',
        'apps/worker',
        'apps/cli',
      ).filter((code) => !isKnown(code)),
    ).toEqual([]);
  });

  it('explains each code once', () => {
    expect(explained.filter((code, index) => explained.indexOf(code) !== index)).toEqual([]);
  });

  it('explains causes and remedies in sentences', () => {
    const words = [
      ...Object.values(API_FAULTS),
      ...Object.values(JOB_FAULTS),
      START_FAULTS,
      COMMAND_FAULTS,
    ].flatMap(Object.values);
    expect(words.flat().filter((text) => !/\.$/.test(text))).toEqual([]);
  });

  it('matches the current contract (`npm run docs` writes it)', () => {
    expect(readFileSync(FILE, 'utf8')).toBe(reference());
  });
});

/** The other languages have the same keys as English. */
const LOCALE = 'apps/web/src/locales/en';

/** A worker handles them by itself; no job, task or panel shows them. */
const NEVER_SHOWN = new Set(['RANGE_IGNORED', 'REMATCH_FAILED', 'REMATCH_UNAVAILABLE']);

it('the page has words for every code of jobs and tasks', () => {
  const files = ['job-faults', 'faults', 'system'].map((name) => `${LOCALE}/${name}.json`);
  const words = files.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('');
  const shown = ofJobs.filter((code) => !NEVER_SHOWN.has(code));
  expect(shown.filter((code) => !new RegExp(`^ +"${code}":`, 'm').test(words))).toEqual([]);
});

function isKnown(code: string): boolean {
  return explained.includes(code) || INTERNAL.has(code);
}

/** The codes passed to the factories of packages/errors, and those of tables for them. */
function thrownBelow(...dirs: string[]): string[] {
  const factories =
    /(?:\b(?:invalid|unauthenticated|forbidden|notFound|conflict|tooLarge|rateLimited|unavailable)\(|^ +\w+: \[)\s*'([A-Z0-9]+(?:_[A-Z0-9]+)+)'/gm;
  const files = globSync(
    dirs.map((dir) => `${dir}/src/**/*.ts`),
    { cwd: ROOT, exclude: ['**/*.test.ts'] },
  );
  const codes = files.flatMap((file) => [
    ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(factories),
  ]);
  return [...new Set(codes.map(([, code = '']) => code))].toSorted();
}
