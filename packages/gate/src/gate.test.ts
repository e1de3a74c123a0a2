import { CveTable, DEFAULT_POLICY, defaultPolicy, type Waiver } from '@portcullis/domain';
import { describe, expect, it } from 'vitest';
import { BLOCKED, CLEAN, DAY_MS, gateInMemory, scanned } from './gate.fixture.ts';
import type { ManifestShape } from './manifest-shape.ts';

const BYPASSING = { isAdmin: false, canBypassVulnBlock: true };
const GATED = {
  ...{ policyId: 'p1', pushGate: 'report' as const, pullGate: 'enforce' as const },
  ...{ immutableTags: [], quotaBytes: null, statements: 'off' as const },
};

function waiver(change: Partial<Waiver> = {}): Waiver {
  const now = new Date('2026-11-22T12:00:00Z');
  return {
    id: 'w1',
    vulnerability: 'CVE-2026-1',
    package: null,
    packageVersion: null,
    repository: null,
    digest: null,
    folder: null,
    status: 'accepted',
    justification: null,
    reason: 'not reachable',
    ticket: null,
    state: 'approved',
    requestedById: 'u1',
    approvals: [],
    createdAt: now,
    expiresAt: new Date(now.getTime() + DAY_MS),
    ...change,
  };
}

async function outcome({ gate, pull }: ReturnType<typeof gateInMemory>, digest = 'sha256:a') {
  const { decision } = await gate.decide(pull(digest));
  return decision.serve;
}

describe('a pull from an enforcing folder', () => {
  const index = (...digests: string[]): ManifestShape => ({
    kind: 'index',
    children: digests.map((digest) => ({
      digest: `sha256:${digest}`,
      platform: null,
      isManifest: true,
    })),
  });
  const artifactOf = (subject: string | null): ManifestShape => ({
    kind: 'artifact',
    subject: subject === null ? null : `sha256:${subject}`,
  });

  it.each<[string, Record<string, ManifestShape>, boolean | null]>([
    ['of a clean image is served', { a: { kind: 'image' } }, true],
    ['of an image without a report is held', { new: { kind: 'image' } }, null],
    ['of a blocked image is refused', { bad: { kind: 'image' } }, false],
    ['of an index with one image that passes is served', { i: index('bad', 'a') }, true],
    ['of an index of blocked images is refused', { i: index('bad', 'bad2') }, false],
    ['of an index of a blocked and a pending image is held', { i: index('bad', 'new') }, null],
    [
      'of an index of a blocked image and an attestation is refused',
      { i: index('bad', 'note'), note: artifactOf(null) },
      false,
    ],
    ['of an index of artifacts is served', { i: index('note'), note: artifactOf(null) }, true],
    ['of an empty index is served', { i: index() }, true],
    ['of an index in an index is decided by its images', { i: index('j'), j: index('bad') }, false],
    ['of an artifact is served', { s: artifactOf(null) }, true],
    ['of a signature of a blocked image is refused', { s: artifactOf('bad') }, false],
    ['of a signature of a clean image is served', { s: artifactOf('a') }, true],
    ['of an index that contains itself ends', { i: index('i', 'bad') }, null],
  ])('%s', async (_, shapes, expected) => {
    const home = gateInMemory();
    const [first = ''] = Object.keys(shapes);
    home.stored.reports
      .set('sha256:a', CLEAN)
      .set('sha256:bad', BLOCKED)
      .set('sha256:bad2', BLOCKED);
    for (const [digest, shape] of Object.entries(shapes))
      home.stored.shapes.set(`sha256:${digest}`, shape);
    expect(await outcome(home, `sha256:${first}`)).toBe(expected);
  });

  it('refuses artifacts where the policy of the folder does', async () => {
    const home = gateInMemory();
    const { rules } = await home.gate.rules().then(({ defaultPolicy: { id: _, ...rules } }) => ({
      rules,
    }));
    home.stored.policies = [
      { id: 'p1', name: 'prod', version: 1, rules: { ...rules, artifacts: 'block' } },
    ];
    home.stored.gates.set('team', GATED);
    home.change('gate');
    home.stored.shapes.set('sha256:a', artifactOf(null));
    expect(await outcome(home)).toBe(false);
  });
});

describe('the cache of standings', () => {
  it('answers the second question without the database', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', CLEAN);
    await outcome(home);
    const before = { ...home.asked };
    await outcome(home);
    expect(home.asked).toEqual(before);
  });

  it('drops the digests of new reports and keeps the others', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', CLEAN).set('sha256:b', CLEAN);
    await outcome(home);
    await outcome(home, 'sha256:b');
    home.stored.reports.set('sha256:a', BLOCKED);
    home.change('report', ['sha256:a']);
    const before = home.asked.reports;
    expect(await outcome(home, 'sha256:b')).toBe(true);
    expect(home.asked.reports).toBe(before);
    expect((await home.gate.standing(home.pull().image)).subject).toMatchObject({
      standing: { verdict: 'blocked' },
    });
  });

  it('keeps nothing while changes may be lost', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', CLEAN);
    await outcome(home);
    home.link.live = false;
    home.stored.reports.set('sha256:a', scanned([{ id: 'CVE-2026-2' }]));
    home.stored.records.clear();
    expect(await outcome(home)).toBe(false);
  });

  it('reads a feed again after its refresh', async () => {
    const home = gateInMemory();
    const [rule] = defaultPolicy(DEFAULT_POLICY).rules;
    const rules = rule ? [{ ...rule, kev: 'only' as const }] : [];
    const changed = { ...defaultPolicy(DEFAULT_POLICY), rules, graceDays: 0 };
    home.stored.policies = [{ id: 'p1', name: 'prod', version: 1, rules: changed }];
    home.stored.gates.set('team', GATED);
    home.stored.reports.set('sha256:a', scanned([{ id: 'CVE-2026-1234' }]));
    const kev = (...cves: number[]) => ({
      ...{ kind: 'kev' as const, version: '1', digest: cves.join(), importedAt: null },
      ...{ publishedAt: home.stored.now, checkedAt: home.stored.now },
      entries: CveTable.of(cves.map((cve) => ({ cve, value: 0 }))),
    });
    home.stored.feeds = [kev()];
    expect(await outcome(home)).toBe(true);
    home.stored.feeds = [kev(2026_0000001234)];
    home.change('settings');
    expect(await outcome(home)).toBe(false);
  });

  it.each(['gate', 'access', 'settings'] as const)(
    'judges again after a change of %s',
    async (kind) => {
      const home = gateInMemory();
      home.stored.reports.set('sha256:a', BLOCKED);
      expect(await outcome(home)).toBe(false);
      home.stored.waivers = [waiver()];
      home.change(kind);
      expect(await outcome(home)).toBe(true);
    },
  );

  it('does not use a waiver past its end', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', BLOCKED);
    home.stored.waivers = [waiver({ expiresAt: new Date(home.stored.now.getTime() + 30_000) })];
    expect(await outcome(home)).toBe(true);
    home.stored.now = new Date(home.stored.now.getTime() + 30_000);
    expect(await outcome(home)).toBe(false);
  });

  it('does not keep what was loaded before a change', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', CLEAN);
    const first = home.gate.standing(home.pull().image);
    home.stored.reports.set('sha256:a', BLOCKED);
    home.change('report', ['sha256:a']);
    await first;
    const { subject } = await home.gate.standing(home.pull().image);
    expect(subject).toMatchObject({ standing: { verdict: 'blocked' } });
  });
});

describe('grace', () => {
  it('serves what passed here for the days of the policy, and no longer', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', CLEAN);
    expect(await outcome(home)).toBe(true);
    home.stored.reports.set('sha256:a', BLOCKED);
    home.change('report', ['sha256:a']);
    const { decision } = await home.gate.decide(home.pull());
    expect(decision).toMatchObject({ serve: true, because: 'grace' });
    home.stored.now = new Date(home.stored.now.getTime() + 7 * DAY_MS);
    expect(await outcome(home)).toBe(false);
  });
});

describe('a bypass', () => {
  it('serves what is blocked, by the right of the account', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', BLOCKED);
    const { decision } = await home.gate.decide(home.pull('sha256:a', BYPASSING));
    expect(decision).toEqual({ serve: true, because: 'bypass', code: 'VULN_BLOCKED' });
  });
});

describe('a held pull', () => {
  const forever = { ms: 60_000, signal: new AbortController().signal };

  it.each([
    ['is served when its report is clean', CLEAN, true],
    ['is refused when its report is blocked', BLOCKED, false],
  ])('%s', async (_, report, expected) => {
    const home = gateInMemory();
    const held = home.gate.decideWithin(home.pull(), forever);
    await expect.poll(() => home.asked.reports).toBeGreaterThan(0);
    home.stored.reports.set('sha256:a', report);
    home.change('report', ['sha256:a']);
    expect((await held).decision.serve).toBe(expected);
  });

  it('does not wake up for other images', async () => {
    const home = gateInMemory();
    const leaving = new AbortController();
    const held = home.gate.decideWithin(home.pull(), { ms: 60_000, signal: leaving.signal });
    await expect.poll(() => home.asked.reports).toBe(1);
    for (let turn = 0; turn < 100; turn += 1) home.change('report', ['sha256:other']);
    leaving.abort();
    await held;
    expect(home.asked.reports).toBe(1);
  });

  it('ends with its time, and when the client leaves', async () => {
    const home = gateInMemory();
    const signal = new AbortController().signal;
    const late = await home.gate.decideWithin(home.pull(), { ms: 20, signal });
    expect(late.decision.serve).toBeNull();
    const left = { ms: 60_000, signal: AbortSignal.abort(new Error('the client left')) };
    await expect(home.gate.decideWithin(home.pull(), left)).rejects.toThrow('the client left');
  });
});

describe('an index', () => {
  const child = (digest: string) => ({
    digest: digest as `sha256:${string}`,
    platform: null,
    isManifest: true,
  });

  it('that lists a manifest a thousand times decides about it once', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', BLOCKED);
    const children = Array.from({ length: 1_000 }, () => child('sha256:a'));
    home.stored.shapes.set('sha256:index', { kind: 'index', children });
    const decided = await home.gate.decide(home.pull('sha256:index'));
    expect(decided.children).toHaveLength(1);
    expect(decided.decision.serve).toBe(false);
  });

  it('of indexes asks about a bounded number of manifests', async () => {
    const home = gateInMemory();
    for (let outer = 0; outer < 50; outer += 1)
      home.stored.shapes.set(`sha256:inner-${outer}`, {
        kind: 'index',
        children: Array.from({ length: 100 }, (_, nth) => child(`sha256:${outer}-${nth}`)),
      });
    const inner = Array.from({ length: 50 }, (_, nth) => child(`sha256:inner-${nth}`));
    home.stored.shapes.set('sha256:index', { kind: 'index', children: inner });
    const { decision } = await home.gate.decide(home.pull('sha256:index'));
    expect(decision.serve).toBeNull();
    expect(home.asked.reports).toBeLessThan(1_100);
  });

  it('of layers, as a build cache is, is an artifact, and no layer is read as a manifest', async () => {
    const home = gateInMemory();
    const layers = ['sha256:layer', 'sha256:cacheconfig'].map((digest) => ({
      ...child(digest),
      isManifest: false,
    }));
    home.stored.shapes.set('sha256:index', { kind: 'index', children: layers });
    const { decision, children } = await home.gate.decide(home.pull('sha256:index'));
    expect(decision.serve).toBe(true);
    expect(children).toEqual([]);
  });

  it.each([
    ['hides no manifest that it states to be a layer, too', null, [true, false]],
    ['hides no manifest that it states to be a layer first', null, [false, true]],
    ['judges what it states to be a layer for a platform', 'linux/amd64', [false]],
  ])('%s', async (_, platform, types) => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', BLOCKED);
    const children = types.map((isManifest) => ({ ...child('sha256:a'), platform, isManifest }));
    home.stored.shapes.set('sha256:index', { kind: 'index', children });
    expect((await home.gate.decide(home.pull('sha256:index'))).decision.serve).toBe(false);
  });

  it('of a clean image and layers is decided by the image', async () => {
    const home = gateInMemory();
    home.stored.reports.set('sha256:a', BLOCKED);
    const children = [child('sha256:a'), { ...child('sha256:layer'), isManifest: false }];
    home.stored.shapes.set('sha256:index', { kind: 'index', children });
    const decided = await home.gate.decide(home.pull('sha256:index'));
    expect(decided.decision.serve).toBe(false);
    expect(decided.children).toHaveLength(1);
  });

  it('whose images are all gone is no artifact', async () => {
    const home = gateInMemory();
    home.stored.missing.add('sha256:gone');
    home.stored.shapes.set('sha256:index', { kind: 'index', children: [child('sha256:gone')] });
    expect((await home.gate.decide(home.pull('sha256:index'))).decision.serve).toBeNull();
    home.stored.shapes.set('sha256:empty', { kind: 'index', children: [] });
    expect((await home.gate.decide(home.pull('sha256:empty'))).decision.serve).toBe(true);
  });
});

describe('what looks like an artifact', () => {
  it('is judged as the image that the scanner found in it', async () => {
    const home = gateInMemory();
    home.stored.shapes.set('sha256:a', { kind: 'artifact', subject: null });
    expect(await outcome(home)).toBe(true);
    home.stored.reports.set('sha256:a', BLOCKED);
    home.change('report', ['sha256:a']);
    expect(await outcome(home)).toBe(false);
  });
});

it('a scan that failed is no pass: no grace period rests on it', async () => {
  const home = gateInMemory();
  home.stored.settings = { ...home.stored.settings, onError: 'allow' };
  home.stored.reports.set('sha256:a', {
    report: null,
    failedScanIn: 'all' as const,
    sightedAt: null,
    signatures: null,
  });
  expect(await outcome(home)).toBe(true);
  expect(home.stored.records.size).toBe(0);
  home.stored.reports.set('sha256:a', BLOCKED);
  home.change('report', ['sha256:a']);
  expect(await outcome(home)).toBe(false);
});

it('a judgement that a change overtook replaces none that came after the change', async () => {
  const home = gateInMemory();
  home.stored.reports.set('sha256:a', CLEAN);
  const reading = Promise.withResolvers<void>();
  home.delays.facts = reading.promise;
  const early = home.gate.decide(home.pull());
  await expect.poll(() => home.asked.reports).toBe(1);
  home.delays.facts = null;
  home.stored.reports.set('sha256:a', BLOCKED);
  home.change('report', ['sha256:a']);
  const verdict = async () => {
    const { subject } = await home.gate.standing(home.pull().image);
    return subject.kind === 'image' ? subject.standing?.verdict : null;
  };
  expect(await verdict()).toBe('blocked');
  reading.resolve();
  await early;
  expect(await verdict()).toBe('blocked');
});
