/**
 * Sends every operation of the contract as every kind of caller; authorization.fixture.ts has the
 * expected results.
 */
import { contract, type Operation } from '@portcullis/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from './api.fixture.ts';
import {
  ASKERS,
  type Asker,
  matrix,
  type Row,
  type Sent,
  type World,
} from './authorization.fixture.ts';
import { createTokens } from './identity/tokens.ts';

let api: TestApi;
let world: Omit<World, 'asker'>;
const SESSION_MS = 600_000;
/** With the key of the api of the tests. */
const tokens = createTokens(Buffer.alloc(32, 1));

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false', DOCKERHUB_API_URL: 'http://127.0.0.1:1' });
  const [admin, owner, other] = [
    await api.account('admin', { isAdmin: true }),
    await api.account('owner'),
    await api.account('other'),
  ];
  const all = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
  await api.grant(owner, 'team', all);
  const clients = {
    admin: await api.as('admin'),
    owner: await api.as('owner'),
    other: await api.as('other'),
  };
  world = { api, ids: { admin, owner, other }, clients };
});
afterAll(() => api?.stop());

interface Endpoint {
  name: string;
  operation: Operation;
  row: Row;
}

const endpoints: Endpoint[] = Object.entries(contract).flatMap(([group, operations]) => {
  const rows = new Map<string, Row>(Object.entries(Reflect.get(matrix, group)));
  return Object.entries<Operation>(operations).flatMap(([name, operation]) => {
    const row = rows.get(name);
    return row ? [{ name: `${group}.${name}`, operation, row }] : [];
  });
});

describe.each(endpoints)('$name', ({ operation, row }) => {
  it.each(ASKERS.map((asker, at) => ({ asker, expected: row.expected[at] })))(
    'answers $asker with $expected',
    async ({ asker, expected }) => {
      const sent = (await row.send?.({ ...world, asker })) ?? {};
      // Each request has its own session, because one of them logs out.
      const response = await ask(operation, sent, await tokenOf(asker));
      const why = response.status === expected ? '' : await response.text();
      await response.body?.cancel().catch(() => {});
      expect([response.status, why]).toEqual([expected, '']);
    },
  );
});

/** A new session in the database, without the cost of seven hundred logins. */
async function tokenOf(asker: Asker): Promise<string | null> {
  if (asker === 'anonymous') return null;
  const userId = world.ids[asker];
  const expiresAt = new Date(Date.now() + SESSION_MS);
  const { id: sessionId } = await api.store.sessions.insert({ userId, expiresAt });
  return tokens.issue({ userId, sessionId }, SESSION_MS / 1000);
}

function ask({ method, path }: Operation, sent: Sent, token: string | null): Promise<Response> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(sent.params?.[name] ?? name),
  );
  const query = sent.query ? `?${new URLSearchParams(sent.query)}` : '';
  return fetch(`${api.url}/api${filled}${query}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
}
