/** What is in use although no tag need lead to it: what runs, and what is pulled by its digest. */
import { beforeEach, expect, it } from 'vitest';
import { storeOfTwo } from '../two-accounts.fixture.ts';

const world = storeOfTwo();
const PULLED = `sha256:${'a'.repeat(64)}`;
const TERMS = { prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 30 };

beforeEach(() => world.sql.query('DELETE FROM clusters; DELETE FROM mirror_tags'));

it('of a mirror what was pulled by its digest as long as it keeps a tag, with no row twice', async () => {
  const { store, sql } = world;
  await store.folders.insertFolder({ name: 'hub', mirror: { registryId: null, ...TERMS } });
  const place = { repository: 'hub/app', reference: PULLED };
  for (const repository of ['hub/app', 'other/app'])
    await store.mirrors.used({ ...place, repository });
  await sql.query(`UPDATE mirror_tags SET good_digest = reference`);
  await store.mirrors.used(place);
  await store.mirrors.used({ repository: 'hub/app', reference: '1' });
  const inUse = { repository: 'hub/app', digest: PULLED };
  expect(await store.imagesInUse.all()).toEqual([inUse]);
  await sql.query(`UPDATE mirror_tags SET used_at = now() - interval '31 days'`);
  expect(await store.imagesInUse.all()).toEqual([]);
  await store.mirrors.used(place);
  expect(await store.imagesInUse.all()).toEqual([inUse]);
  expect([...(await store.mirrors.uses('hub/app')).keys()]).toEqual([PULLED]);
});

it('what runs, and the tags whose image or platform that is', async () => {
  const { store } = world;
  const repository = 'team/pods';
  const manifest = (digest: string, contents: string[] = []) => ({
    ...{ digest, mediaType: 'application/vnd.oci.image.index.v1+json', size: 1 },
    ...{ artifactType: null, platforms: [], subject: null },
    contents: contents.map((each) => ({ digest: each, size: 1, isManifest: true })),
  });
  for (const [tag, digest, parts] of [
    ['image', 'sha256:1', []],
    ['index', 'sha256:2', ['sha256:3']],
    ['ended', 'sha256:4', []],
  ] as const) {
    const manifests = [manifest(digest, [...parts])];
    await store.images.record({ repository, tag, digest, manifests, at: new Date() });
  }
  const pod = { cluster: 'eu', namespace: 'shop', repository };
  const running = ['sha256:1', 'sha256:3'].map((digest) => ({ ...pod, digest }));
  await store.runningImages.note([
    ...running,
    { ...pod, repository: 'team/other', digest: 'sha256:4' },
  ]);
  expect(await store.imagesInUse.runningTags(repository)).toEqual(new Set(['image', 'index']));
  expect(await store.imagesInUse.all()).toEqual(
    running.map(({ digest }) => ({ repository, digest })),
  );
});
