import { randomUUID } from 'node:crypto';
import { DEFAULT_POLICY, defaultPolicy, type PolicyRules } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store, type StoredPolicy } from '../index.ts';

const { id: _id, name: _name, version: _version, ...RULES } = defaultPolicy(DEFAULT_POLICY);
const LAX: PolicyRules = { ...RULES, rules: [] };

let database: TestDatabase;
let store: Store;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
});
afterAll(async () => {
  await store.close();
  await database.stop();
});

function insert(): Promise<StoredPolicy> {
  return store.policies.insertPolicy({ name: randomUUID(), rules: RULES, savedBy: 'ada' });
}

describe('policies', () => {
  it('keep every version of their rules', async () => {
    const { id, name } = await insert();
    const renamed = await store.policies.update(id, {
      name: `${name}-2`,
      version: 1,
      savedBy: 'ada',
    });
    expect(renamed).toMatchObject({ name: `${name}-2`, version: 1, rules: RULES });
    const changed = await store.policies.update(id, { rules: LAX, version: 1, savedBy: 'bea' });
    expect(changed).toMatchObject({ version: 2, rules: LAX });
    expect(await store.policies.get(id)).toEqual(changed);
    expect(await store.policies.versions(id)).toMatchObject([
      { version: 2, rules: LAX, savedBy: 'bea' },
      { version: 1, rules: RULES, savedBy: 'ada' },
    ]);
  });

  it.each([
    ['of an older version is refused', { version: 0 }, 'POLICY_CHANGED'],
    ['to the name of another is refused', { version: 1, name: 'taken' }, 'POLICY_NAME_TAKEN'],
  ])('a change %s', async (_, change, code) => {
    const { id } = await insert();
    const taken = { name: 'taken', rules: RULES, savedBy: 'ada' };
    const other = await store.policies.insertPolicy(taken);
    const changing = store.policies.update(id, { rules: LAX, savedBy: 'ada', ...change });
    await expect(changing).rejects.toMatchObject({ code });
    expect(await store.policies.get(id)).toMatchObject({ version: 1, rules: RULES });
    await store.policies.remove(other.id);
  });

  it('apply to folders and registries, and are not deleted while they do', async () => {
    const { id } = await insert();
    const folder = await store.folders.insertFolder({ name: 'prod' });
    expect(folder).toMatchObject({ policyId: null, pushGate: 'report', pullGate: 'off' });
    await store.folders.update(folder.id, { policyId: id, pullGate: 'enforce' });
    const registry = { name: 'outside', host: 'registry.example', policyId: id };
    const { id: registryId } = await store.registries.insert(registry);
    expect(await store.folders.gates()).toEqual(
      new Map([
        [
          'prod',
          {
            policyId: id,
            pushGate: 'report',
            pullGate: 'enforce',
            immutableTags: [],
            quotaBytes: null,
            statements: 'off',
          },
        ],
      ]),
    );
    expect((await store.policies.uses()).get(id)).toEqual({
      folders: ['prod'],
      registries: [{ id: registryId, name: 'outside' }],
    });
    const detail = { folders: ['prod'], registries: ['outside'] };
    await expect(store.policies.remove(id)).rejects.toMatchObject({
      code: 'POLICY_IN_USE',
      detail,
    });
    await store.folders.remove(folder.id);
    await store.registries.update(registryId, { policyId: null });
    await store.policies.remove(id);
    expect(await store.policies.find(id)).toBeNull();
  });

  it.each(['no id', randomUUID()])(
    'a folder takes no policy that does not exist: %s',
    async (id) => {
      const folder = await store.folders.insertFolder({ name: randomUUID() });
      const changing = store.folders.update(folder.id, { policyId: id });
      await expect(changing).rejects.toMatchObject({ code: 'POLICY_UNKNOWN' });
    },
  );
});

describe('pass records', () => {
  it('belong to a digest in a folder, and end with the folder', async () => {
    const folder = await store.folders.insertFolder({ name: 'records' });
    const passedAt = new Date();
    const record = { folder: 'records', digest: 'sha256:a', passedAt, blockedAt: null };
    await store.passRecords.save(record);
    await store.passRecords.save({ ...record, blockedAt: passedAt });
    await store.passRecords.save({ ...record, folder: 'missing' });
    expect(await store.passRecords.find('records', 'sha256:a')).toEqual({
      passedAt,
      blockedAt: passedAt,
    });
    expect(await store.passRecords.listByDigests(['sha256:a', 'sha256:b'])).toHaveLength(1);
    await store.folders.remove(folder.id);
    expect(await store.passRecords.find('records', 'sha256:a')).toBeNull();
  });

  it('of digests that their folder does not have are removed', async () => {
    await store.folders.insertFolder({ name: 'old' });
    const record = { folder: 'old', digest: 'sha256:b', passedAt: null, blockedAt: new Date() };
    await store.passRecords.save(record);
    expect(await store.passRecords.removeUnused(new Date(0))).toBe(0);
    // Another folder's image of the same digest is none of this folder.
    const image = { repository: 'elsewhere/app', digest: 'sha256:b', tag: '1', at: new Date() };
    const manifest = {
      ...{ digest: 'sha256:b', mediaType: 'm', artifactType: null, subject: null, size: 1 },
      ...{ contents: [], platforms: [] },
    };
    await store.folders.insertFolder({ name: 'elsewhere' });
    await store.images.record({ ...image, manifests: [manifest] });
    await store.passRecords.save({ ...record, folder: 'elsewhere' });
    expect(await store.passRecords.removeUnused(new Date(Date.now() + 60_000))).toBe(1);
    expect(await store.passRecords.find('elsewhere', 'sha256:b')).not.toBeNull();
  });
});
