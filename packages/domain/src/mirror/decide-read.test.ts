import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAsking, beforeAsking, type MirrorRead } from './decide-read.ts';
import { aTag, digestOf } from './mirror.fixture.ts';
import { secondsUntilDue } from './mirror-tag.ts';

const [A, B, C] = ['a', 'b', 'c'].map(digestOf) as [string, string, string];
const down = { code: 'REGISTRY_UNREACHABLE', message: 'it is down', gone: false };
const gone = { code: 'MANIFEST_UNKNOWN', message: 'no such tag', gone: true };

const read = (change: Partial<MirrorRead> = {}): MirrorRead => ({
  ...{ kind: 'tag', here: A, tag: null, isImmutable: false, isAllowed: true, mayBringIn: true },
  folder: 'docker.io',
  ...change,
});

const summary = (step: ReturnType<typeof beforeAsking>): string => {
  if (step.step === 'serve')
    return ['serve', step.behind?.because, step.bringIn && 'bring in'].filter(Boolean).join(', ');
  return step.step === 'refuse' ? step.code : step.step;
};

describe('before the upstream is asked', () => {
  it.each([
    ['a digest that is here', { kind: 'digest', here: A }, 'serve'],
    [
      'a digest that is here, for an account that may only pull',
      { kind: 'digest', mayBringIn: false },
      'serve',
    ],
    ['a digest that is not here', { kind: 'digest', here: null }, 'ask'],
    [
      'an immutable tag',
      { isImmutable: true, tag: aTag({ isDue: true, upstreamDigest: B }) },
      'serve',
    ],
    ['a new immutable tag', { isImmutable: true, here: null }, 'ask'],
    ['a tag of a repository that is not allowed any more', { isAllowed: false }, 'serve'],
    [
      'a new tag of a repository that is not allowed',
      { isAllowed: false, here: null },
      'MIRROR_NOT_ALLOWED',
    ],
    [
      'a new tag for an account that may only pull',
      { mayBringIn: false, here: null },
      'MIRROR_FORBIDDEN',
    ],
    ['a new tag', { here: null }, 'ask'],
    ['a tag that was pushed here', {}, 'ask'],
    ['a tag that was checked', { tag: aTag() }, 'serve'],
    ['a tag whose check is due', { tag: aTag({ isDue: true }) }, 'ask'],
    ['a tag that moved', { tag: aTag({ upstreamDigest: B }) }, 'serve, other_digest, bring in'],
    ['a tag whose check failed', { tag: aTag({ fault: down }) }, 'serve, unanswered'],
    ['a tag that was withdrawn', { tag: aTag({ fault: gone }) }, 'serve, withdrawn'],
    ['a tag that is removed here and known', { here: null, tag: aTag() }, 'bring_in'],
    [
      'a tag that is removed here, after a fault',
      { here: null, tag: aTag({ fault: down }) },
      'ask',
    ],
    [
      'a tag that was reduced to platforms',
      { here: C, tag: aTag({ goodDigest: C, goodSource: A }) },
      'serve',
    ],
    [
      'a reduced tag that moved',
      { here: C, tag: aTag({ goodDigest: C, goodSource: B }) },
      'serve, other_digest, bring in',
    ],
  ] as [string, Partial<MirrorRead>, string][])('%s: %s', (_, change, expected) => {
    expect(summary(beforeAsking(read(change)))).toBe(expected);
  });

  it('says who may bring in what is not here', () => {
    const refused = beforeAsking(read({ here: null, mayBringIn: false }));
    expect(refused).toMatchObject({
      kind: 'not_found',
      message:
        'this image is not here; accounts with can_pull_external on the folder docker.io may bring it in',
    });
  });
});

describe('after the upstream was asked', () => {
  it.each([
    ['the same digest', {}, { digest: A }, 'serve'],
    ['another digest', {}, { digest: B }, 'serve, other_digest, bring in'],
    ['a digest that is not here', { here: null }, { digest: B }, 'bring_in'],
    ['a fault', {}, { fault: down }, 'serve, unanswered'],
    ['a fault about what is not here', { here: null }, { fault: down }, 'MIRROR_UPSTREAM'],
    ['that it is gone', {}, { fault: gone }, 'serve, withdrawn'],
    ['that it never was', { here: null }, { fault: gone }, 'MANIFEST_UNKNOWN'],
  ] as [string, Partial<MirrorRead>, Parameters<typeof afterAsking>[1], string][])(
    '%s: %s',
    (_, change, answer, expected) => {
      expect(summary(afterAsking(read(change), answer))).toBe(expected);
    },
  );

  it('counts faults for a minute at most', () => {
    expect(secondsUntilDue({ digest: A }, 60)).toBe(3_600);
    expect(secondsUntilDue({ fault: down }, 60)).toBe(60);
    expect(secondsUntilDue({ fault: gone }, 60)).toBe(3_600);
  });
});

describe('whatever is known', () => {
  const digest = fc.constantFrom(A, B, C);
  const maybe = fc.option(digest, { nil: null });
  const fault = fc.option(fc.constantFrom(down, gone), { nil: null });
  const tag = fc
    .record({
      upstreamDigest: maybe,
      goodDigest: maybe,
      goodSource: maybe,
      fault,
      isDue: fc.boolean(),
    })
    .map(aTag);
  const reads: fc.Arbitrary<MirrorRead> = fc.record({
    kind: fc.constantFrom('tag' as const, 'digest' as const),
    here: maybe,
    tag: fc.option(tag, { nil: null }),
    isImmutable: fc.boolean(),
    isAllowed: fc.boolean(),
    mayBringIn: fc.boolean(),
    folder: fc.constant('docker.io'),
  });
  const answers = fc.oneof(
    digest.map((each) => ({ digest: each })),
    fc.constantFrom({ fault: down }, { fault: gone }),
  );

  it('what is here is never refused, and never waited for', () => {
    fc.assert(
      fc.property(reads, answers, (asked, answer) => {
        if (asked.here === null) return;
        const steps = [beforeAsking(asked), afterAsking(asked, answer)];
        expect(steps.map(({ step }) => step)).not.toContain('refuse');
        expect(steps.map(({ step }) => step)).not.toContain('bring_in');
      }),
    );
  });

  it('an account without the right brings in nothing that is not here', () => {
    fc.assert(
      fc.property(reads, (asked) => {
        if (asked.here !== null) return;
        const { step } = beforeAsking({ ...asked, mayBringIn: false });
        expect(step).toBe('refuse');
      }),
    );
  });

  it('a digest and an immutable tag that are here ask no upstream', () => {
    fc.assert(
      fc.property(reads, (asked) => {
        if (asked.here === null || (asked.kind === 'tag' && !asked.isImmutable)) return;
        expect(beforeAsking(asked)).toEqual({ step: 'serve', behind: null, bringIn: null });
      }),
    );
  });

  it('no fault of the upstream is an absence, unless the upstream says so', () => {
    fc.assert(
      fc.property(reads, (asked) => {
        const step = afterAsking(asked, { fault: down });
        expect(step.step === 'refuse' && step.kind === 'not_found').toBe(false);
      }),
    );
  });
});
