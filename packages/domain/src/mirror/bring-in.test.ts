import { describe, expect, it } from 'vitest';
import { bringInState, isBringIn, isHeldBack, mayBeTooYoung, mayBringIn } from './bring-in.ts';
import { aBringIn, aMirror, aTag, digestOf } from './mirror.fixture.ts';

const digest = digestOf('a');
const MINUTE = 60_000;
const failure = (code: string) => ({ code, message: '', side: null, retryable: false });
const blocked = { status: 'failed', verdict: 'blocked', error: failure('VULN_BLOCKED') } as const;
const notScanned = failure('SCAN_REQUIRED');
const unscanned = { status: 'failed', verdict: 'error', error: notScanned } as const;
const unsigned = { status: 'failed', error: failure('SIGNATURE_MISSING') } as const;
const young = { status: 'failed', error: failure('TOO_YOUNG') } as const;
const refused = { status: 'failed', error: failure('INDEX_REFUSED') } as const;
const failed = { status: 'failed', error: failure('REGISTRY_UNREACHABLE') } as const;

it.each([
  ['refused', null, true],
  ['behind', young, true],
  ['behind', blocked, false],
  ['failed', null, false],
  ['current', null, false],
  ['coming', young, false],
] as const)(
  'of a tag that is %s, age alone may keep the image of %o out: %s',
  (state, job, may) => {
    expect(mayBeTooYoung({ state, fault: null, job })).toBe(may);
  },
);

it.each([
  ['is on its way before a job was made', null, false],
  ['is on its way while its job works', aBringIn(), false],
  [
    'is on its way after the job of the one before',
    aBringIn({ sourceDigest: digestOf('b') }),
    false,
  ],
  ['is here once it is pushed', aBringIn({ status: 'pushed' }), false],
  ['is held back where the gate blocks it', aBringIn(blocked), true],
  ['is held back where its job failed', aBringIn(failed), true],
  [
    'is held back while an older one is taken in its place',
    aBringIn({ sourceDigest: digestOf('c') }),
    true,
  ],
])('a newer digest %s', (_, job, expected) => {
  expect(isHeldBack(job, digest, { ripeDigest: digestOf('c') })).toBe(expected);
});

describe('a job that brings a digest in', () => {
  it.each([
    ['begins where there is none', null, {}, 'begin'],
    ['begins for another digest', aBringIn({ sourceDigest: digestOf('b') }), {}, 'begin'],
    ['begins again after it was cancelled', aBringIn({ status: 'cancelled' }), {}, 'begin'],
    ['is waited for', aBringIn({ status: 'scan_queued' }), {}, 'wait'],
    ['is waited for, however long it takes', aBringIn(), { after: 1e9 }, 'wait'],
    ['is done once it is pushed', aBringIn({ status: 'pushed' }), { isHere: true }, 'done'],
    ['begins again where its image was removed', aBringIn({ status: 'pushed' }), {}, 'begin'],
    ['is refused where the gate blocks it', aBringIn(blocked), {}, 'blocked'],
    ['begins again once the gate would pass it', aBringIn(blocked), { passes: true }, 'begin'],
    ['is refused where its scan failed', aBringIn(unscanned), {}, 'blocked'],
    ['is scanned again after a minute', aBringIn(unscanned), { after: MINUTE }, 'begin'],
    ['is refused without a signature', aBringIn(unsigned), { after: MINUTE - 1 }, 'blocked'],
    [
      'is asked for signatures again after a minute',
      aBringIn(unsigned),
      { after: MINUTE },
      'begin',
    ],
    ['begins again after six hours', aBringIn(blocked), { after: 360 * MINUTE }, 'begin'],
    ['waits for its age, however long it takes', aBringIn(young), { after: 1e12 }, 'blocked'],
    ['begins again once it is old enough', aBringIn(young), { passes: true }, 'begin'],
    ['begins again, whole, where the registry refused its index', aBringIn(refused), {}, 'begin'],
    ['has failed', aBringIn(failed), { after: MINUTE - 1 }, 'failed'],
    ['begins again a minute after it failed', aBringIn(failed), { after: MINUTE }, 'begin'],
  ] as [
    string,
    ReturnType<typeof aBringIn> | null,
    { isHere?: boolean; passes?: boolean; after?: number },
    string,
  ][])('%s', (_, job, { isHere = false, passes = false, after = 0 }, expected) => {
    expect(bringInState(job, { digest, isHere, passes, now: new Date(after) })).toBe(expected);
  });
});

describe('the right to bring in', () => {
  const grant = { canPull: true, canPush: true, canPushExternal: true };
  const grants = [
    { folder: 'docker.io', ...grant, canPullExternal: false },
    { folder: 'other', ...grant, canPullExternal: true },
  ];
  it('is that of the folder itself', () => {
    expect(mayBringIn({ isAdmin: false, grants }, 'docker.io')).toBe(false);
    expect(mayBringIn({ isAdmin: false, grants }, 'other')).toBe(true);
    expect(mayBringIn({ isAdmin: true, grants: [] }, 'docker.io')).toBe(true);
  });
});

describe('a push that needs no right to push', () => {
  const job = {
    image: 'library/nginx',
    sourceDigest: digest,
    source: { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' },
  } as const;
  const push = { kind: 'local', repository: 'docker.io/library/nginx', tag: '1' } as const;
  const known = { mirror: aMirror(), tag: aTag() };

  it('is the one that a mirror asked for', () => {
    expect(isBringIn(job, push, known)).toBe(true);
  });

  it('is also the one for an older digest while the newest is too young', () => {
    const tag = aTag({ upstreamDigest: digestOf('c'), ripeDigest: digest });
    expect(isBringIn(job, push, { ...known, tag })).toBe(true);
  });
  it.each([
    ['to another tag', job, { ...push, tag: '2' }, known],
    ['to another repository', job, { ...push, repository: 'docker.io/library/other' }, known],
    ['of an older digest', { ...job, sourceDigest: digestOf('b') }, push, known],
    ['of another image', { ...job, image: 'evil/nginx' }, push, known],
    ['from another registry', { ...job, source: { ...job.source, registryId: 'r' } }, push, known],
    ['to another registry', job, { ...push, kind: 'registry' as const }, known],
    ['after the folder lost its mirror', job, push, { ...known, mirror: null }],
    ['that no mirror asked for', job, push, { ...known, tag: null }],
    ['of what is not allowed any more', job, push, { ...known, mirror: aMirror({ allow: ['x'] }) }],
  ])('is not one %s', (_, of, to, given) => {
    expect(isBringIn(of, to, given)).toBe(false);
  });
});
