import { describe, expect, it } from 'vitest';
import type { Behind } from './decide-read.ts';
import { heldChange, markOf } from './last-good.ts';
import { aBringIn, aTag, digestOf } from './mirror.fixture.ts';

const B = digestOf('b');
const other: Behind = { because: 'other_digest', upstreamDigest: B };
const fault = { code: 'MANIFEST_UNKNOWN', message: 'unknown', gone: true };
const blocked = { code: 'VULN_BLOCKED', message: 'x', side: null, retryable: false };
const failed = aBringIn({ sourceDigest: B, status: 'failed', error: blocked });

describe('that the last good image goes on being served is recorded', () => {
  it('with the digest and the reason once the new image was refused', () => {
    const change = heldChange(other, { tag: aTag(), job: failed });
    expect(change).toEqual({ because: 'other_digest', upstreamDigest: B, code: 'VULN_BLOCKED' });
    expect(change && markOf(change)).toBe(B);
  });

  it('as too young where an older image was taken in its place', () => {
    const ripe = aBringIn({ sourceDigest: digestOf('c'), status: 'pushed' });
    const tag = aTag({ ripeDigest: digestOf('c') });
    expect(heldChange(other, { tag, job: ripe })).toMatchObject({ code: 'TOO_YOUNG' });
  });

  it('where the upstream has withdrawn the tag', () => {
    const change = heldChange({ because: 'withdrawn', fault }, { tag: aTag(), job: null });
    expect(change).toEqual({ because: 'withdrawn', upstreamDigest: null, code: null });
    expect(change && markOf(change)).toBe('withdrawn');
  });

  it.each([
    ['while the new image is on its way', other, { job: aBringIn({ sourceDigest: B }) }],
    ['before a job is about it', other, { job: null }],
    ['a second time', other, { tag: aTag({ announced: B }), job: failed }],
    [
      'a second time for a tag that stays withdrawn',
      { because: 'withdrawn', fault } as const,
      { tag: aTag({ announced: 'withdrawn' }) },
    ],
    ['while the upstream is silent', { because: 'unanswered', fault } as const, { job: failed }],
  ])('not %s', (_, behind, known) => {
    expect(heldChange(behind, { tag: aTag(), job: null, ...known })).toBeNull();
  });
});
