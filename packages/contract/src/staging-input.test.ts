import { describe, expect, it } from 'vitest';
import { JobsQuery, PullRequest, PushRequest, SeverityList } from './staging-input.ts';

const PULL = { image: 'library/nginx', tag: '1.27' };
const JOB = '0199d1f0-0000-7000-8000-000000000000';

function faultsOf(schema: typeof PullRequest | typeof PushRequest, body: object): string[] {
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
}

describe('a pull', () => {
  it.each<[string, object, string[]]>([
    [
      'the fields of the specification',
      { ...PULL, vuln_scan_enabled_override: true, vuln_severities_override: ['HIGH'] },
      [],
    ],
    ['a digest in place of a tag', { image: 'nginx', tag: `sha256:${'a'.repeat(64)}` }, []],
    [
      'null where nothing is meant',
      { ...PULL, source_registry_id: null, source_registry_host: '' },
      [],
    ],
    ['nothing', {}, ['image', 'tag']],
    [
      'all faults at once',
      { image: 'UP', tag: '-x', platforms: ['?'] },
      ['image', 'tag', 'platforms.0'],
    ],
    ['a tag inside the image', { image: 'nginx:1', tag: '1' }, ['image']],
    ['a digest inside the image', { image: `nginx@sha256:${'a'.repeat(64)}`, tag: '1' }, ['image']],
    ['a dot segment', { image: 'a/../b', tag: '1' }, ['image']],
    [
      'a severity that is none',
      { ...PULL, vuln_severities_override: ['SEVERE'] },
      ['vuln_severities_override.0'],
    ],
    [
      'a password without its username',
      { ...PULL, source_registry_host: 'h', source_registry_password: 'x' },
      ['source_registry_username'],
    ],
    ['an unknown field', { ...PULL, colour: 'red' }, ['']],
  ])('%s', (_, body, faults) => {
    expect(faultsOf(PullRequest, body)).toEqual(faults);
  });
});

describe('a push', () => {
  const push = { job_id: JOB, target_image: 'team/app', target_tag: 'v1' };
  it.each<[string, object, string[]]>([
    ['the fields of the specification', { ...push, folder: 'team', external_registry_id: JOB }, []],
    ['the built-in registry by its name', { ...push, external_registry_id: '__local__' }, []],
    [
      'a digest in place of a tag',
      { ...push, target_tag: `sha256:${'a'.repeat(64)}` },
      ['target_tag'],
    ],
    ['a job id that is not a UUID', { ...push, job_id: 'x' }, ['job_id']],
  ])('%s', (_, body, faults) => {
    expect(faultsOf(PushRequest, body)).toEqual(faults);
  });
});

it.each([
  [
    ['critical', ' high '],
    ['CRITICAL', 'HIGH'],
  ],
  ['CRITICAL,low', ['CRITICAL', 'LOW']],
  ['', []],
])('the severity list %j is %j', (given, list) => {
  expect(SeverityList.parse(given)).toEqual(list);
});

it('a list has its limits', () => {
  expect(JobsQuery.parse({})).toEqual({ limit: 50, sort: '-created_at' });
  expect(JobsQuery.safeParse({ limit: '201' }).success).toBe(false);
  expect(JobsQuery.parse({ status: 'staged,pushed' }).status).toEqual(['staged', 'pushed']);
});
