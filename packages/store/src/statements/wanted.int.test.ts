import { beforeAll, expect, it } from 'vitest';
import { storeOfTwo } from '../two-accounts.fixture.ts';

const world = storeOfTwo();

beforeAll(async () => {
  const { store } = world;
  const { id } = await store.folders.insertFolder({ name: 'prod' });
  await store.folders.update(id, { statements: 'on' });
  await store.signingKeys.insertFirst({ id: 'k', publicKey: 'public', privateKey: 'private' });
});

const PLACE = { repository: 'prod/app', digest: `sha256:${'a'.repeat(64)}` };

async function judged(passes: boolean, code: string | null): Promise<void> {
  const { repository, digest } = PLACE;
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', size: 1 },
    ...{ artifactType: null, platforms: ['linux/amd64'], contents: [], subject: null },
  };
  await world.store.images.record({
    ...{ repository, tag: '1', digest, manifests: [manifest], at: new Date() },
  });
  await world.sql.query('DELETE FROM image_standings');
  await world.sql.query(
    `INSERT INTO image_standings (repository, digest, folder, passes, code, verdict, policy,
                                  policy_version, policy_digest, mark, since, judged_at)
     VALUES ($1, $2, 'prod', $3, $4, 'clean', 'p', '1', 'd', 'm', now(), now())`,
    [repository, digest, passes, code],
  );
}

it.each<[string, boolean, string | null, string[]]>([
  ['an image that passes', true, null, ['verdict']],
  ['one that lacks a signature', false, 'SIGNATURE_MISSING', ['verdict']],
  ['none whose signatures are not verified yet', false, 'SIGNATURES_NOT_VERIFIED', []],
])('a verdict is wanted of %s', async (_, passes, code, wanted) => {
  await judged(passes, code);
  expect((await world.store.statements.due(10)).map(({ kind }) => kind)).toEqual(wanted);
});
