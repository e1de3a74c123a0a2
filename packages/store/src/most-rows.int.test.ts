/** How many rows of a kind there may be: the last one is accepted, and the next one is refused. */
import { randomUUID } from 'node:crypto';
import { DEFAULT_POLICY, defaultPolicy, MOST_ROBOTS } from '@portcullis/domain';
import { expect, it } from 'vitest';
import type { NewIdentityTrust } from './accounts/records.ts';
import { storeOfTwo } from './two-accounts.fixture.ts';

const world = storeOfTwo();

/** Copies the only row until there are `count`, with another value in each of `unique`. */
async function fill(table: string, count: number, unique: string[]) {
  const other = unique.map((column) => `'${column}', gen_random_uuid()`).join(', ');
  await world.sql.query(
    `INSERT INTO ${table}
     SELECT (jsonb_populate_record(row, jsonb_build_object(${other}))).*
       FROM ${table} AS row, generate_series(2, ${count})`,
  );
}

async function expectLast(
  insert: () => Promise<unknown>,
  { table, most, unique, code }: { table: string; most: number; unique: string[]; code: string },
) {
  await insert();
  await fill(table, most - 1, unique);
  await insert();
  await expect(insert()).rejects.toMatchObject({ code });
}

const NAMED = ['id', 'name'];

it('there are at most 200 policies', async () => {
  const { id: _id, name: _name, version: _version, ...rules } = defaultPolicy(DEFAULT_POLICY);
  await expectLast(
    () => world.store.policies.insertPolicy({ name: randomUUID(), rules, savedBy: 'ada' }),
    { table: 'policies', most: 200, unique: NAMED, code: 'POLICIES_MANY' },
  );
});

it('there are at most 100 authorities', async () => {
  const document = { kind: 'key', keys: 'one' };
  await expectLast(
    () => world.store.authorities.insertAuthority({ name: randomUUID(), document, savedBy: 'ada' }),
    { table: 'authorities', most: 100, unique: ['name'], code: 'AUTHORITIES_MANY' },
  );
});

function insertWebhook() {
  return world.store.webhooks.insert({
    ...{ name: randomUUID(), folder: null, url: 'https://hooks.example', secret: 'whsec_AA' },
    ...{ format: 'cloudevents', kinds: [], createdBy: 'ada' },
  });
}

it('there are at most 200 webhooks', async () => {
  await expectLast(insertWebhook, {
    ...{ table: 'webhooks', most: 200, unique: NAMED, code: 'WEBHOOKS_MANY' },
  });
});

it('at most 10,000 deliveries of a webhook wait', async () => {
  await world.sql.query('DELETE FROM webhooks');
  const { id: webhookId } = await insertWebhook();
  await expectLast(
    () =>
      world.store.webhookDeliveries.queue({
        ...{ webhookId, eventId: randomUUID(), kind: 'job.pushed', body: '{}' },
      }),
    {
      ...{ table: 'webhook_deliveries', most: 10_000, unique: ['id', 'event_id'] },
      code: 'DELIVERIES_MANY',
    },
  );
});

function insertRobot() {
  return world.store.robots.insert({
    ...{ name: randomUUID(), description: '', ownerGroupId: null, groupIds: [] },
    ...{ canBypassVulnBlock: false, createdBy: 'ada' },
  });
}

it(`there are at most ${MOST_ROBOTS} robots`, async () => {
  await insertRobot();
  await world.sql.query(
    `WITH made AS (
       INSERT INTO users (id, username, username_key, auth_source)
       SELECT gen_random_uuid(), 'robot-' || n, 'robot-' || n, 'robot'
         FROM generate_series(3, ${MOST_ROBOTS}) AS n
       RETURNING id)
     INSERT INTO robots (user_id, description, created_by) SELECT id, '', 'ada' FROM made`,
  );
  await insertRobot();
  await expect(insertRobot()).rejects.toMatchObject({ code: 'ROBOTS_MANY' });
});

it('there are at most 500 trust rules, each with another name', async () => {
  const { id: robotId } = await insertRobot();
  const rule = (name: string): NewIdentityTrust => ({
    ...{ name, issuer: 'https://ci.example', audience: 'here', robotId, minutes: 15 },
    ...{ conditions: { sub: ['acme'] }, caCert: null, enabled: true, createdBy: 'ada' },
    scope: { folders: 'all', actions: 'all', api: true, registry: true },
  });
  await world.store.identityTrusts.insert(rule('taken'));
  await expect(world.store.identityTrusts.insert(rule('taken'))).rejects.toMatchObject({
    code: 'TRUST_NAME_TAKEN',
  });
  await world.sql.query('DELETE FROM identity_trusts');
  await expectLast(() => world.store.identityTrusts.insert(rule(randomUUID())), {
    ...{ table: 'identity_trusts', most: 500, unique: NAMED, code: 'TRUSTS_MANY' },
  });
});
