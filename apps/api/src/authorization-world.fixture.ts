/** The accounts that send every operation of the contract, and how they send it. */
import { contract, type Operation } from '@portcullis/contract';
import type { TestApi } from './api.fixture.ts';
import { matrix, type Row, type Sent, type World } from './authorization.fixture.ts';
import { createTokens } from './identity/tokens.ts';

const SESSION_MS = 3_600_000;
/** With the key of the api of the tests. */
const tokens = createTokens(Buffer.alloc(32, 1));

export interface Endpoint {
  name: string;
  operation: Operation;
  row: Row;
}

export const endpoints: Endpoint[] = Object.entries(contract).flatMap(([group, operations]) => {
  const rows = new Map<string, Row>(Object.entries(Reflect.get(matrix, group)));
  return Object.entries<Operation>(operations).flatMap(([name, operation]) => {
    const row = rows.get(name);
    return row ? [{ name: `${group}.${name}`, operation, row }] : [];
  });
});

export async function createRoles(api: TestApi): Promise<Omit<World, 'role'>> {
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
  return { api, ids: { admin, owner, other }, clients };
}

/** Each request has its own session, because one of them logs out. */
export async function ask({ operation, row }: Endpoint, world: World): Promise<Response> {
  const sent = (await row.send?.(world)) ?? {};
  return send(operation, sent, world.api.url, await tokenOf(world));
}

/** A new session in the database, without the cost of seven hundred logins. */
async function tokenOf({ api, ids, role }: World): Promise<string | null> {
  if (role === 'anonymous') return null;
  const expiresAt = new Date(Date.now() + SESSION_MS);
  const { id: sessionId } = await api.store.sessions.insert({ userId: ids[role], expiresAt });
  return tokens.issue({ userId: ids[role], sessionId }, SESSION_MS / 1000);
}

function send(
  { method, path }: Operation,
  sent: Sent,
  url: string,
  token: string | null,
): Promise<Response> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(sent.params?.[name] ?? name),
  );
  const query = sent.query ? `?${new URLSearchParams(sent.query)}` : '';
  return fetch(`${url}/api${filled}${query}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
}
