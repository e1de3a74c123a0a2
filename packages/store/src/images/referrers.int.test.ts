import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../open-store.ts';
import type { Store } from '../port.ts';
import type { Referrer } from './records.ts';

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
});

afterAll(async () => {
  await store?.close();
  await database?.stop();
});

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const SUBJECT = digest('0');
const referrer = (letter: string, more: Partial<Referrer> = {}): Referrer => ({
  repository: 'team/app',
  digest: digest(letter),
  subject: SUBJECT,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  artifactType: 'application/x.sbom',
  size: 10,
  annotations: { 'org.example': 'any \u0000 text \ud800' },
  ...more,
});

describe('referrers', () => {
  it('are listed by digest, in pages, for one subject in one repository', async () => {
    const all = [
      referrer('b'),
      referrer('a', { artifactType: null, annotations: null }),
      referrer('c'),
    ];
    const others = [
      referrer('d', { subject: digest('1') }),
      referrer('a', { repository: 'team/other' }),
    ];
    for (const each of [...all, ...others]) await store.referrers.record(each);
    const query = { repository: 'team/app', subject: SUBJECT };
    const first = await store.referrers.list({ ...query, limit: 2 });
    expect(first).toEqual([all[1], all[0]]);
    const rest = await store.referrers.list({ ...query, limit: 2, after: first[1]?.digest });
    expect(rest).toEqual([all[2]]);
    const sboms = await store.referrers.list({
      ...query,
      limit: 9,
      artifactType: 'application/x.sbom',
    });
    expect(sboms.map((each) => each.digest)).toEqual([digest('b'), digest('c')]);
  });

  it('that are recorded twice exist once, and removed ones are gone, also with their repository', async () => {
    const query = { repository: 'team/twice', subject: SUBJECT, limit: 9 };
    const given = ['a', 'a', 'b'].map((letter) =>
      referrer(letter, { repository: query.repository }),
    );
    for (const each of given) await store.referrers.record(each);
    expect(await store.referrers.list(query)).toHaveLength(2);
    await store.referrers.remove(query.repository, digest('a'));
    await store.referrers.remove(query.repository, digest('9'));
    expect((await store.referrers.list(query)).map((each) => each.digest)).toEqual([digest('b')]);
    await store.referrers.removeRepository(query.repository);
    expect(await store.referrers.list(query)).toEqual([]);
  });

  it('of recorded images are listed, and gone with their manifests', async () => {
    const { repository, digest: own, ...listed } = referrer('e', { repository: 'team/recorded' });
    const { mediaType, subject, size, ...said } = listed;
    const facts = { digest: own, mediaType, subject, size, artifactType: null };
    const manifests = [{ ...facts, referrer: said, contents: [], platforms: [] }];
    const query = { repository, subject, limit: 9 };
    for (let times = 0; times < 2; times += 1)
      await store.images.record({ repository, tag: null, digest: own, manifests });
    expect(await store.referrers.list(query)).toEqual([{ repository, digest: own, ...listed }]);
    await store.images.removeManifest(repository, own);
    expect(await store.referrers.list(query)).toEqual([]);
  });
});
