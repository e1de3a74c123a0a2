/** When digests were first seen: rows that pulls, pushes and checks of tags write. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeOfTwo } from '../two-accounts.fixture.ts';
import type { ManifestFacts } from './records.ts';

const world = storeOfTwo();
beforeAll(async () => world.store.folders.ensureRoot());

const YEAR_AGO = new Date(Date.now() - 365 * 86_400_000);

function manifest(digest: string, children: readonly string[] = []): ManifestFacts {
  const contents = children.map((child) => ({ digest: child, size: 1, isManifest: true }));
  return {
    ...{ digest, mediaType: 'm', artifactType: null, subject: null, size: 1 },
    ...{ platforms: ['linux/amd64'], contents },
  };
}

interface Pushed {
  repository?: string;
  tag?: string | null;
  digest: string;
  children?: readonly string[];
  at?: Date;
}

function push({ repository = 'team/app', tag = '1', digest, children = [], at }: Pushed) {
  const manifests = [...children.map((child) => manifest(child)), manifest(digest, children)];
  return world.store.images.record({ repository, tag, digest, manifests, ...(at && { at }) });
}

const named = () => `sha256:${randomUUID()}`;
const age = (digest: string, at: Date, tag = '1') =>
  world.sql.query(
    'INSERT INTO sightings (repository, tag, digest, first) VALUES ($1, $2, $3, $4)',
    ['elsewhere/app', tag, digest, at],
  );
const isYoung = async (digest: string) =>
  Number(await world.store.sightings.first(digest)) > Date.now() - 3_600_000;

describe('the first sighting of a digest', () => {
  it('is unknown where nothing led to it', async () => {
    expect(await world.store.sightings.first(named())).toBeNull();
  });

  it('is kept when its tag moves away and back', async () => {
    const [one, other] = [named(), named()];
    await push({ digest: one });
    const first = await world.store.sightings.first(one);
    for (const digest of [other, one]) await push({ digest });
    expect(await world.store.sightings.first(one)).toEqual(first);
    const place = { repository: 'team/app', tag: '1', digest: one };
    const found = await world.store.sightings.find(place);
    expect(found?.first).toEqual(first);
    expect(Number(found?.last)).toBeGreaterThanOrEqual(Number(first));
  });

  it('is the earliest of all names that lead to it', async () => {
    const digest = named();
    await push({ digest, tag: '1' });
    await push({ digest, tag: '2', repository: 'other/app' });
    const { first } = (await world.store.sightings.find({
      ...{ repository: 'team/app', tag: '1', digest },
    })) ?? { first: null };
    expect(await world.store.sightings.first(digest)).toEqual(first);
    await age(digest, YEAR_AGO);
    expect(await world.store.sightings.first(digest)).toEqual(YEAR_AGO);
  });

  it('of an image is that of an old index which lists it, and not the other way round', async () => {
    const [index, child] = [named(), named()];
    await age(index, YEAR_AGO);
    await push({ digest: index, children: [child] });
    expect(await world.store.sightings.first(child)).toEqual(YEAR_AGO);
    const [newer, old] = [named(), named()];
    await age(old, YEAR_AGO);
    await push({ digest: newer, children: [old, named()] });
    expect(await isYoung(newer)).toBe(true);
  });

  it('of a copy of some platforms is that of its source', async () => {
    const [source, copy, other] = [named(), named(), named()];
    await age(source, YEAR_AGO);
    const seen = { repository: 'registry.test/app', tag: '1' };
    expect(await world.store.sightings.pulled({ ...seen, digest: copy }, source)).toEqual(YEAR_AGO);
    expect(await world.store.sightings.pulled({ ...seen, digest: other }, other)).not.toEqual(
      YEAR_AGO,
    );
    expect(await isYoung(other)).toBe(true);
  });

  it('is not what a caller says of the time of its push', async () => {
    const digest = named();
    await push({ digest, at: YEAR_AGO });
    expect(await isYoung(digest)).toBe(true);
  });

  it('is among the facts that a standing is made of, also without a report', async () => {
    const digest = named();
    await push({ digest });
    const known = (await world.store.reports.facts([digest])).get(digest);
    expect(known).toEqual({
      ...{ report: null, failedScanIn: [], signatures: null },
      sightedAt: await world.store.sightings.first(digest),
    });
  });
});

describe('the digest of a mirrored tag that is old enough', () => {
  const [old, here, ripe, riper, newest] = ['old', 'here', 'ripe', 'riper', 'newest'] as const;
  const HOURS = { [old]: 100, [here]: 90, [ripe]: 80, [riper]: 70, [newest]: 1 };

  async function tagged(): Promise<{ repository: string; reference: string }> {
    const place = { repository: `hub/${randomUUID()}`, reference: '1' };
    const answer = (digest: string) => ({ answer: { digest }, isTag: true, dueSeconds: 60 });
    for (const [digest, hours] of Object.entries(HOURS)) {
      await world.store.mirrors.answered(place, answer(`${place.repository}:${digest}`));
      await world.sql.query(
        `UPDATE sightings SET first = now() - $2 * interval '1 hour' WHERE digest = $1`,
        [`${place.repository}:${digest}`, hours],
      );
    }
    return place;
  }

  it.each([
    ['is the newest one that was seen for so long', 60, here, riper],
    ['is older where more is asked', 75, here, ripe],
    ['is none where nothing newer than what is here is old enough', 85, here, null],
    ['is never the newest, which the upstream has', 0, riper, null],
    ['is any where nothing is here', 95, null, old],
  ])('%s', async (_, minAgeHours, after, expected) => {
    const place = await tagged();
    const name = (digest: string | null) => digest && `${place.repository}:${digest}`;
    const found = await world.store.mirrors.ripe(place, { minAgeHours, after: name(after) });
    expect(found).toBe(name(expected));
  });
});

it('no sequence of pushes makes a digest older than its first sighting', async () => {
  const digests = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.record({
    repository: fc.constantFrom('team/one', 'team/two'),
    tag: fc.option(fc.constantFrom('1', '2'), { nil: null }),
    digest: digests,
    isIndex: fc.boolean(),
    child: digests,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const run = randomUUID();
      const known = new Map<string, Date | null>();
      for (const { digest, isIndex, child, ...place } of steps) {
        const children = isIndex ? [`${run}:${child}`] : [];
        const pushed = isIndex ? `${run}:index:${child}` : `${run}:${digest}`;
        await push({ ...place, digest: pushed, children, at: YEAR_AGO });
        const facts = await world.store.reports.facts([pushed, ...children, ...known.keys()]);
        for (const [each, { sightedAt }] of facts) {
          expect(sightedAt).toEqual(known.get(each) ?? sightedAt);
          expect(Number(sightedAt)).toBeGreaterThan(Number(YEAR_AGO) + 1);
          known.set(each, sightedAt);
        }
        expect(known.has(pushed)).toBe(true);
      }
    }),
    { seed: 39, numRuns: 10 },
  );
});
