import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '../open-store.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  const { id } = await store.folders.insertFolder({ name: 'prod' });
  await store.folders.update(id, { statements: 'on' });
  await store.signingKeys.insertFirst({ id: 'k', publicKey: 'public', privateKey: 'private' });
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

const PLACE = { repository: 'prod/app', digest: `sha256:${'a'.repeat(64)}` };

async function judged(passes: boolean, code: string | null): Promise<void> {
  const { repository, digest } = PLACE;
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', size: 1 },
    ...{ artifactType: null, platforms: ['linux/amd64'], contents: [], subject: null },
  };
  await store.images.record({
    ...{ repository, tag: '1', digest, manifests: [manifest], at: new Date() },
  });
  await sql.query('DELETE FROM image_standings');
  await sql.query(
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
  expect((await store.statements.due(10)).map(({ kind }) => kind)).toEqual(wanted);
});
