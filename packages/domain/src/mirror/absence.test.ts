import { describe, expect, it } from 'vitest';
import { absenceOf } from './absence.ts';
import { aBringIn, aTag } from './mirror.fixture.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 29, 16, minute));
const blocked = { code: 'VULN_BLOCKED', message: 'Blocked.', side: null, retryable: false };
const broken = { code: 'DOWN', message: 'no route', side: 'source' as const, retryable: true };
const refused = aBringIn({
  status: 'failed',
  error: blocked,
  verdict: 'blocked',
  updatedAt: at(5),
});
const attempt = (gone: boolean, minute: number) => ({
  ...{ fault: { code: 'X', message: 'said so', gone }, since: at(0), at: at(minute) },
});
const asked = {
  ...{ kind: 'tag' as const, here: null, tag: null, job: null, attempt: null, folder: 'hub' },
  ...{ isImmutable: false, isAllowed: true, mayBringIn: true, showsJob: false },
};

describe('what is not in a mirror', () => {
  it.each<[string, Partial<Parameters<typeof absenceOf>[0]>, string, RegExp]>([
    ['was never asked for', {}, 'MIRROR_NOT_ASKED', /no recent pull/],
    ['may not be brought in', { isAllowed: false }, 'MIRROR_NOT_ALLOWED', /does not bring in/],
    ['needs a right', { mayBringIn: false, job: refused }, 'MIRROR_FORBIDDEN', /can_pull_external/],
    ['was refused', { job: refused }, 'MIRROR_REFUSED', /^Blocked\. The mirror hub tries .*waiver/],
    ['is on its way', { job: aBringIn() }, 'MIRROR_PENDING', /being brought in/],
    [
      'failed',
      { job: aBringIn({ status: 'failed', error: broken, updatedAt: at(5) }) },
      'MIRROR_FAILED',
      /no route\. The mirror hub tries it again at a pull after 2026-11-29 16:06 UTC\.$/,
    ],
    [
      'has a silent upstream',
      { attempt: attempt(false, 7), job: refused, tag: aTag({ isDue: true }) },
      'MIRROR_UPSTREAM',
      /since 2026-11-29 16:00 UTC, last 2026-11-29 16:07 UTC: said so/,
    ],
    ['is not at the upstream', { attempt: attempt(true, 7) }, 'MIRROR_GONE', /16:07 UTC: said so/],
    [
      'was refused since',
      { attempt: attempt(false, 3), job: refused },
      'MIRROR_REFUSED',
      /Blocked/,
    ],
  ])('%s: %#', (_, more, code, message) => {
    expect(absenceOf({ ...asked, ...more })).toEqual({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('names the job to those who may see it alone', () => {
    expect(absenceOf({ ...asked, job: refused }).message).not.toContain('Job:');
    expect(absenceOf({ ...asked, job: refused, showsJob: true }).message).toMatch(/Job: j$/);
  });
});
