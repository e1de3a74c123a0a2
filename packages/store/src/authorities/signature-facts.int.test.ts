/** What is known of the signatures of digests, and what has to be read, on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import {
  DEFAULT_POLICY,
  defaultPolicy,
  LOCAL_REGISTRY_ID,
  type SignatureFact,
} from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type ReadSignatures, type SignedDigest, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  sql = await openSql(database.url);
  const { id: _, name, version: __, ...rules } = defaultPolicy(DEFAULT_POLICY);
  const policy = await store.policies.insertPolicy({ name, rules, savedBy: 'ada' });
  await store.folders.insertFolder({ name: 'prod', policyId: policy.id });
});
beforeEach(() =>
  sql.query(`DELETE FROM image_signatures; DELETE FROM local_repositories;
             DELETE FROM image_standings`),
);
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const [IMAGE, INDEX, SIGNATURE, OTHER] = ['a', 'b', 'c', 'd'].map(digestOf) as [
  string,
  string,
  string,
  string,
];
const HERE = { registry: LOCAL_REGISTRY_ID, repository: 'prod/app' };
const ROOT = '2026-11-05';
const NOTHING: ReadSignatures = {
  facts: [],
  askedOf: { release: 1 },
  unread: 0,
  isComplete: true,
  root: ROOT,
};
/** The policy of the folder asks for these authorities, of these versions. */
async function ask(versions: Record<string, number>): Promise<void> {
  const authorities = Object.keys(versions);
  await sql.query('DELETE FROM authorities');
  for (const [name, version] of Object.entries(versions))
    await sql.query(
      `INSERT INTO authorities (name, version, kind, document) VALUES ($1, $2, 'key', '{}')`,
      [name, version],
    );
  await sql.query('UPDATE policies SET rules = $1', [{ signatures: [{ authorities }] }]);
}

async function due(versions: Record<string, number> = { release: 1 }): Promise<string[]> {
  await ask(versions);
  return (await store.signatureFacts.dueHere(ROOT, 10)).map(({ digest }) => digest);
}

interface Pushed {
  tag?: string | null;
  subject?: string;
  artifactType?: string;
  children?: string[];
  repository?: string;
}

function push(digest: string, { tag = null, subject, children = [], ...rest }: Pushed = {}) {
  const { repository = HERE.repository, artifactType = null } = rest;
  const contents = children.map((child) => ({ digest: child, size: 1, isManifest: true }));
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', size: 1, artifactType },
    ...{ platforms: artifactType ? [] : ['linux/amd64'], contents, subject: subject ?? null },
  };
  return store.images.record({ repository, tag, digest, manifests: [manifest], at: new Date() });
}

function fact(
  authority: string,
  version = 1,
  {
    signature = SIGNATURE,
    until = null,
    predicateType = null,
  }: { signature?: string; until?: Date | null; predicateType?: string | null } = {},
): SignatureFact {
  return {
    ...{ authority, authorityVersion: version, signature, predicateType, reason: null },
    verified: {
      ...{ signer: 'release@example.com', at: new Date('2026-11-29T12:00:00Z') },
      ...{ timeSource: 'LOG', by: 'https://rekor.example', log: 'https://rekor.example' },
      until,
    },
  };
}

type Found = Partial<ReadSignatures> & { at?: Omit<SignedDigest, 'digest'> };

async function read(digest: string, { at = HERE, ...found }: Found = {}) {
  const claimed = await store.signatureFacts.claim({ digest, ...at });
  if (!claimed) throw new Error('it is claimed already');
  return store.signatureFacts.save(claimed, { ...NOTHING, ...found });
}

const known = async (digest: string) =>
  (await store.signatureFacts.ofDigests([digest])).get(digest);

describe('facts of signatures', () => {
  it('are those that were saved last, with their times', async () => {
    expect(await known(IMAGE)).toBeUndefined();
    await read(IMAGE);
    expect(await known(IMAGE)).toMatchObject({ facts: [], askedOf: { release: 1 } });
    await read(IMAGE, { facts: [fact('release')], unread: 3, isComplete: false });
    expect(await known(IMAGE)).toEqual({
      ...{ facts: [fact('release')], askedOf: { release: 1 }, unread: 3, isComplete: false },
      checkedAt: expect.any(Date),
    });
  });

  it('are not known while they are read for the first time', async () => {
    await store.signatureFacts.claim({ digest: IMAGE, ...HERE });
    expect(await known(IMAGE)).toBeUndefined();
  });

  it('count wherever the signature was found, and only of the newest version', async () => {
    const elsewhere = { registry: 'ghcr.io', repository: 'acme/app' };
    await read(IMAGE, { facts: [fact('release')], at: elsewhere });
    await read(IMAGE);
    expect((await known(IMAGE))?.facts).toEqual([fact('release')]);
    await read(IMAGE, { askedOf: { release: 2 } });
    expect(await known(IMAGE)).toMatchObject({ facts: [], askedOf: { release: 2 } });
  });

  it('of an index say of its platforms who signed, and nothing of others', async () => {
    await push(IMAGE);
    await push(INDEX, { tag: '1', children: [IMAGE] });
    await read(INDEX);
    expect(await known(IMAGE)).toBeUndefined();
    const askedOf = { release: 1, vendor: 1 };
    await read(INDEX, { facts: [fact('release')], askedOf });
    expect(await known(IMAGE)).toMatchObject({
      facts: [fact('release')],
      askedOf: { release: 1 },
    });
    await read(IMAGE, { askedOf });
    expect(await known(IMAGE)).toMatchObject({ facts: [fact('release')], askedOf });
  });

  it('of an index count for its platforms', async () => {
    await push(IMAGE);
    await push(INDEX, { tag: '1', children: [IMAGE] });
    await read(INDEX, { facts: [fact('release')] });
    await read(IMAGE);
    expect((await known(IMAGE))?.facts).toEqual([fact('release')]);
    expect((await known(INDEX))?.facts).toHaveLength(1);
  });

  it('mark the standings that they may change, and none where they are the same', async () => {
    await push(IMAGE);
    await push(INDEX, { tag: '1', children: [IMAGE] });
    await sql.query(
      `INSERT INTO image_standings (repository, digest, folder, policy, mark, since, judged_at)
       SELECT 'prod/app', unnest($1::text[]), 'prod', 'p', 'm', now(), now()`,
      [[INDEX, OTHER]],
    );
    expect((await read(IMAGE)).sort()).toEqual([IMAGE, INDEX]);
    const { rows } = await sql.query('SELECT digest FROM image_standings WHERE stale');
    expect(rows).toEqual([{ digest: INDEX }]);
    expect(await read(IMAGE)).toEqual([]);
    expect((await read(INDEX)).sort()).toEqual([IMAGE, INDEX]);
    expect(await read(INDEX, { askedOf: { release: 2 } })).toHaveLength(2);
  });

  it('of a worker whose claim was lost are not kept', async () => {
    const place: SignedDigest = { digest: IMAGE, ...HERE };
    const claimed = await store.signatureFacts.claim(place);
    expect(await store.signatureFacts.claim(place)).toBeNull();
    await sql.query(`UPDATE image_signatures SET lease_until = now() - interval '1 second'`);
    const next = await store.signatureFacts.claim(place);
    if (!claimed || !next) throw new Error('it is not claimed');
    expect(await store.signatureFacts.save(claimed, NOTHING)).toEqual([]);
    expect(await known(IMAGE)).toBeUndefined();
    expect(await store.signatureFacts.save(next, NOTHING)).toEqual([IMAGE]);
  });

  it('are removed with their image, and of other registries once no account has it', async () => {
    await push(IMAGE, { tag: '1' });
    const elsewhere = { registry: 'ghcr.io', repository: 'acme/app' };
    await read(IMAGE);
    await read(IMAGE, { at: elsewhere });
    await read(OTHER);
    await read(OTHER, { at: elsewhere });
    expect(await store.signatureFacts.removeUnused(new Date(0))).toBe(1);
    expect(await store.signatureFacts.removeUnused(new Date(Date.now() + 60_000))).toBe(1);
    expect(await known(OTHER)).toBeUndefined();
    expect(await known(IMAGE)).toBeDefined();
  });
});

describe('signatures to read', () => {
  it('are those of images in folders that ask, the newest first; not of signatures', async () => {
    await push(IMAGE);
    await push(INDEX, { tag: '1', children: [IMAGE] });
    await push(SIGNATURE, { tag: `${INDEX.replace(':', '-')}.sig` });
    await push(OTHER, { subject: INDEX, artifactType: 'application/vnd.dev.sigstore.bundle' });
    await push(digestOf('e'), { tag: '1', repository: 'elsewhere/app' });
    expect((await due()).sort()).toEqual([IMAGE, INDEX]);
  });

  it('are read once, and again for another authority, version or root', async () => {
    await push(IMAGE, { tag: '1' });
    await read(IMAGE);
    expect(await due()).toEqual([]);
    expect(await due({})).toEqual([]);
    expect(await due({ release: 2 })).toEqual([IMAGE]);
    expect(await due({ release: 1, vendor: 1 })).toEqual([IMAGE]);
    await ask({ release: 1 });
    expect(await store.signatureFacts.dueHere('2027-01-01', 10)).toHaveLength(1);
  });

  it.each([
    ['a referrer', () => push(SIGNATURE, { subject: IMAGE })],
    ['a tag of cosign', () => push(SIGNATURE, { tag: `${IMAGE.replace(':', '-')}.sig` })],
    ['a list of referrers', () => push(SIGNATURE, { tag: IMAGE.replace(':', '-') })],
  ])('are read again where %s came, and where it went', async (_, sign) => {
    await push(IMAGE, { tag: '1' });
    await read(IMAGE);
    await sign();
    expect(await due()).toEqual([IMAGE]);
    await read(IMAGE);
    expect(await due()).toEqual([]);
    await store.images.removeManifest(HERE.repository, SIGNATURE);
    expect(await due()).toEqual([IMAGE]);
  });

  it('are read again once one that counted may have ended', async () => {
    await push(IMAGE);
    const ending = (seconds: number) =>
      read(IMAGE, {
        facts: [fact('release', 1, { until: new Date(Date.now() + seconds * 1000) })],
      });
    await ending(3600);
    expect(await due()).toEqual([]);
    await ending(-1);
    expect(await due()).toEqual([IMAGE]);
  });

  it('are read again where a tag of cosign was removed', async () => {
    await push(IMAGE, { tag: '1' });
    const tag = `${IMAGE.replace(':', '-')}.att`;
    await push(SIGNATURE, { tag });
    await read(IMAGE);
    await store.images.removeTag(HERE.repository, tag);
    expect(await due()).toEqual([IMAGE]);
  });

  it('that came while they were read are read again', async () => {
    await push(IMAGE, { tag: '1' });
    const claimed = await store.signatureFacts.claim({ digest: IMAGE, ...HERE });
    if (!claimed) throw new Error('it is not claimed');
    expect(await due()).toEqual([]);
    await push(SIGNATURE, { subject: IMAGE });
    await store.signatureFacts.save(claimed, NOTHING);
    expect(await due()).toEqual([IMAGE]);
  });

  it('wait longer after each failure, and what was known stays', async () => {
    await push(IMAGE, { tag: '1' });
    await read(IMAGE, { facts: [fact('release')] });
    const pauses: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const claimed = await store.signatureFacts.claim({ digest: IMAGE, ...HERE });
      if (!claimed) throw new Error('it is not claimed');
      await store.signatureFacts.fail(claimed, { code: 'REGISTRY_UNREACHABLE', message: 'down' });
      const { rows } = await sql.query(
        'SELECT extract(epoch FROM not_before - now())::int AS pause FROM image_signatures',
      );
      pauses.push(rows[0].pause);
    }
    expect(await due({ release: 2 })).toEqual([]);
    expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
    expect(new Set(pauses).size).toBe(3);
    expect((await known(IMAGE))?.facts).toHaveLength(1);
    const why = { code: 'REGISTRY_UNREACHABLE', message: 'down', nextTryAt: expect.any(Date) };
    expect(await store.signatureFacts.faultOf(IMAGE)).toEqual(why);
    await sql.query("UPDATE image_signatures SET registry = 'elsewhere.example'");
    expect(await store.signatureFacts.faultOf(IMAGE)).toEqual({ ...why, message: null });
    await sql.query(`UPDATE image_signatures SET registry = '${LOCAL_REGISTRY_ID}'`);
    await push(SIGNATURE, { subject: IMAGE });
    expect(await due()).toEqual([IMAGE]);
  });
});

describe('signatures of other registries', () => {
  const AT = { registry: 'ghcr.io', repository: 'acme/app' };

  async function pulled(digest: string): Promise<string> {
    const owner = await store.users.insert({ username: randomUUID(), passwordHash: null });
    const source = { kind: 'host', registryId: null, host: AT.registry } as const;
    const { id } = await store.jobs.insert({
      ...{ ownerId: owner.id, image: AT.repository, tag: '1', source },
    });
    await sql.query('UPDATE staging_jobs SET digest = $2 WHERE id = $1', [id, digest]);
    return id;
  }

  const dueElsewhere = () => store.signatureFacts.dueElsewhere(ROOT, 10);
  const asked = async () => (await known(IMAGE))?.askedOf;

  it('that a job read are read again by it for another version', async () => {
    await ask({ release: 1 });
    const jobId = await pulled(IMAGE);
    const place = { digest: IMAGE, ...AT };
    expect(await store.signatureFacts.record(place, NOTHING)).toEqual([IMAGE]);
    expect(await store.signatureFacts.record(place, NOTHING)).toEqual([]);
    expect(await dueElsewhere()).toEqual([]);
    await ask({ release: 2 });
    expect(await dueElsewhere()).toEqual([{ ...place, jobId }]);
    await sql.query('DELETE FROM staging_jobs');
    expect(await dueElsewhere()).toEqual([]);
  });

  it('are not asked for where one verifies here', async () => {
    await ask({ release: 2 });
    await pulled(IMAGE);
    await store.signatureFacts.record({ digest: IMAGE, ...AT }, NOTHING);
    await read(IMAGE, { askedOf: { release: 2 } });
    expect(await dueElsewhere()).toHaveLength(1);
    await read(IMAGE, { facts: [fact('release', 2)], askedOf: { release: 2 } });
    expect(await dueElsewhere()).toEqual([]);
  });

  it('are asked for where one authority verifies here, and another one does not', async () => {
    const askedOf = { release: 2, vendor: 2 };
    await ask(askedOf);
    const jobId = await pulled(IMAGE);
    const place = { digest: IMAGE, ...AT };
    const vendors = { facts: [fact('vendor')], askedOf: { release: 1, vendor: 1 } };
    await store.signatureFacts.record(place, { ...NOTHING, ...vendors });
    await read(IMAGE, { facts: [fact('release', 2)], askedOf });
    expect(await dueElsewhere()).toEqual([{ ...place, jobId }]);
    await read(IMAGE, { facts: [fact('release', 2), fact('vendor', 2)], askedOf });
    expect(await dueElsewhere()).toEqual([]);
  });

  it('are asked for where a signature verifies here, and an attestation did there', async () => {
    await ask({ release: 2 });
    const jobId = await pulled(IMAGE);
    const place = { digest: IMAGE, ...AT };
    const attested = (version: number) => fact('release', version, { predicateType: 'sbom' });
    await store.signatureFacts.record(place, { ...NOTHING, facts: [fact('release'), attested(1)] });
    const askedOf = { release: 2 };
    await read(IMAGE, { facts: [fact('release', 2)], askedOf });
    expect(await dueElsewhere()).toEqual([{ ...place, jobId }]);
    expect(await asked()).toEqual({});
    await store.signatureFacts.record(place, { ...NOTHING, askedOf, facts: [attested(2)] });
    expect(await asked()).toEqual(askedOf);
    await store.signatureFacts.record(place, { ...NOTHING, facts: [attested(1)] });
    await read(IMAGE, { facts: [fact('release', 2), attested(2)], askedOf });
    expect(await dueElsewhere()).toEqual([]);
    expect(await asked()).toEqual(askedOf);
  });

  it('are not said to be missing before they are asked for again', async () => {
    const askedOf = { release: 2, vendor: 1 };
    await ask(askedOf);
    await pulled(IMAGE);
    const place = { digest: IMAGE, ...AT };
    await store.signatureFacts.record(place, { ...NOTHING, facts: [fact('release')] });
    await read(IMAGE, { askedOf });
    expect(await asked()).toEqual({});
    await read(IMAGE, { facts: [fact('vendor')], askedOf });
    expect(await asked()).toEqual({ vendor: 1 });
    await store.signatureFacts.record(place, { ...NOTHING, askedOf });
    expect(await asked()).toEqual(askedOf);
  });

  it('are missing once nothing asks for them again: no job, or after hours of failures', async () => {
    await ask({ release: 2 });
    await pulled(IMAGE);
    const place = { digest: IMAGE, ...AT };
    const claimed = await store.signatureFacts.claim(place);
    if (!claimed) throw new Error('it is not claimed');
    await store.signatureFacts.fail(claimed, { code: 'REGISTRY_UNREACHABLE', message: 'down' });
    expect(await known(IMAGE)).toBeUndefined();
    await read(IMAGE, { askedOf: { release: 2 } });
    expect(await asked()).toEqual({});
    await sql.query(`UPDATE image_signatures SET tries = 10 WHERE registry = 'ghcr.io'`);
    expect(await asked()).toEqual({ release: 2 });
    await sql.query('UPDATE image_signatures SET tries = 1');
    await sql.query('DELETE FROM staging_jobs');
    expect(await asked()).toEqual({ release: 2 });
  });

  it('that a job could not read are read later', async () => {
    await ask({ release: 1 });
    await pulled(IMAGE);
    const claimed = await store.signatureFacts.claim({ digest: IMAGE, ...AT });
    if (!claimed) throw new Error('it is not claimed');
    await store.signatureFacts.release(claimed);
    expect(await dueElsewhere()).toHaveLength(1);
  });
});
