import { expect, it } from 'vitest';
import { absentPlatformState } from './absent-platform.ts';

const failure = (code: string) => ({ code, message: '', side: null, retryable: false });

it.each([
  ['absent without a job', null, 'absent'],
  ['absent after a cancelled one', { status: 'cancelled', error: null }, 'absent'],
  ['absent after it was removed again', { status: 'pushed', error: null }, 'absent'],
  ['coming while a job works', { status: 'scanning', error: null }, 'coming'],
  ['refused by the gate', { status: 'failed', error: failure('VULN_BLOCKED') }, 'refused'],
  ['too young', { status: 'failed', error: failure('TOO_YOUNG') }, 'refused'],
  ['failed', { status: 'failed', error: failure('REGISTRY_UNREACHABLE') }, 'failed'],
] as const)('a platform that is not here is %s', (_, job, expected) => {
  expect(absentPlatformState(job && { ...job, verdict: 'pending' })).toBe(expected);
});
