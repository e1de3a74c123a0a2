import { randomUUID } from 'node:crypto';
import { DEFAULT_POLICY, defaultPolicy } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, openSql, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../index.ts';

let database: TestDatabase;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  sql = await openSql(database.url);
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await database?.stop();
});

const document = (keys: string) => ({ kind: 'key', keys });
const save = (name: string, keys = 'one') =>
  store.authorities.insertAuthority({ name, document: document(keys), savedBy: 'ada' });

describe('authorities', () => {
  it('keep every version of their document', async () => {
    const name = randomUUID();
    expect(await save(name)).toMatchObject({ name, version: 1, kind: 'key' });
    const change = { name, document: document('two'), savedBy: 'bea', version: 1 };
    const changed = await store.authorities.replace(change);
    expect(changed).toMatchObject({ version: 2, document: document('two') });
    expect(await store.authorities.get(name)).toEqual(changed);
    expect((await store.authorities.current()).get(name)).toEqual({ version: 2, kind: 'key' });
    expect(await store.authorities.versions(name)).toMatchObject([
      { version: 2, document: document('two'), savedBy: 'bea' },
      { version: 1, document: document('one'), savedBy: 'ada' },
    ]);
    await expect(store.authorities.replace(change)).rejects.toMatchObject({
      code: 'AUTHORITY_CHANGED',
    });
  });

  it('of the name of a removed one count on from it', async () => {
    const name = randomUUID();
    await save(name);
    await expect(save(name)).rejects.toMatchObject({ code: 'AUTHORITY_NAME_TAKEN' });
    expect(await store.authorities.remove(name)).toMatchObject({ version: 1 });
    expect(await store.authorities.find(name)).toBeNull();
    expect(await save(name, 'other')).toMatchObject({ version: 2 });
    await expect(store.authorities.remove(randomUUID())).rejects.toMatchObject({
      code: 'AUTHORITY_UNKNOWN',
    });
  });

  it('that two writers save at once are one change and one refusal', async () => {
    const name = randomUUID();
    await save(name);
    const change = { name, document: document('two'), savedBy: 'bea', version: 1 };
    const both = await Promise.allSettled([
      store.authorities.replace(change),
      store.authorities.replace(change),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('that a policy names stay', async () => {
    const name = randomUUID();
    await save(name);
    const { id: _, name: __, version: ___, ...rules } = defaultPolicy(DEFAULT_POLICY);
    const policy = { name: `${name}-policy`, rules, savedBy: 'ada' };
    const { id } = await store.policies.insertPolicy(policy);
    await sql.query(`UPDATE policies SET rules = rules || $2::jsonb WHERE id = $1`, [
      id,
      JSON.stringify({ signatures: [{ authorities: ['x'] }, { authorities: ['y', name] }] }),
    ]);
    await expect(store.authorities.remove(name)).rejects.toMatchObject({
      code: 'AUTHORITY_IN_USE',
      detail: { policies: [policy.name] },
    });
    await store.policies.remove(id);
    await store.authorities.remove(name);
  });
});
