/** Waivers over the REST API: who may do what, and every transition. */
import { randomUUID } from 'node:crypto';
import { watchChanges } from '@portcullis/events';
import { json, openSql, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
const ids: Record<string, string> = {};
const clients: Record<string, Client> = {};

beforeAll(async () => {
  api = await startApi();
  const flags = {
    root: { isAdmin: true },
    boss: { isAdmin: true },
    rita: { canBypassVulnBlock: true },
    rob: { canBypassVulnBlock: true },
    dev: {},
    eve: {},
    out: {},
  };
  for (const [name, given] of Object.entries(flags)) ids[name] = await api.account(name, given);
  for (const name of ['dev', 'rita', 'rob'])
    await api.grant(idOf(name), 'team', { canPull: true, canPush: name === 'dev' });
  await api.grant(idOf('eve'), 'other', { canPull: true, canPush: true });
  for (const name of Object.keys(flags)) clients[name] = await api.as(name);
});
afterAll(() => api?.stop());

const idOf = (name: string) => ids[name] ?? '';

function by(name: string): Client {
  const client = clients[name];
  if (!client) throw new Error(`no client ${name}`);
  return client;
}

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const WANTED = {
  vulnerability: 'CVE-2026-1',
  folder: 'team',
  status: 'accepted',
  reason: 'not reachable',
};

function ask(name: string, change: object = {}): Promise<Response> {
  return by(name).post('/api/waivers', { ...WANTED, expires_at: daysFromNow(30), ...change });
}

async function requested(name = 'dev', change: object = {}): Promise<string> {
  return (await json(ask(name, change))).id;
}

const approve = (name: string, id: string) => by(name).post(`/api/waivers/${id}/approve`);
const reject = (name: string, id: string) =>
  by(name).post(`/api/waivers/${id}/reject`, { reason: 'it is reachable' });
const revoke = (name: string, id: string) => by(name).post(`/api/waivers/${id}/revoke`, {});
const read = (name: string, id: string) => json(by(name).get(`/api/waivers/${id}`));

describe('requesting', () => {
  it.each([
    ['dev, who may push there', 'dev', 'team', 201],
    ['dev for all folders', 'dev', null, 403],
    ['dev for another folder', 'dev', 'other', 403],
    ['an account without grants', 'out', 'team', 403],
    ['a reviewer for all folders', 'rita', null, 201],
    ['an administrator', 'root', 'team', 201],
    ['an administrator for a folder that does not exist', 'root', 'missing', 422],
  ])('by %s', async (_, name, folder, status) => {
    expect((await ask(name, { folder })).status).toBe(status);
  });

  it('answers with the waiver, which is not in force', async () => {
    const scope = { package: 'openssl', package_version: '3.0.1', repository: 'team/**' };
    const answer = await ask('dev', { ...scope, ticket: 'T-1' });
    const waiver = await json(answer);
    expect(answer.headers.get('location')).toBe(`/api/waivers/${waiver.id}`);
    expect(waiver).toMatchObject({
      ...WANTED,
      ...scope,
      digest: null,
      ticket: 'T-1',
      state: 'requested',
      in_force: false,
      requested_by: { id: idOf('dev'), username: 'dev' },
      approvals: [],
      approvals_needed: 1,
    });
    expect(await read('rita', waiver.id)).toEqual(waiver);
  });

  it.each([
    ['vulnerability', 'an id', 'VULNERABILITY_INVALID'],
    ['repository', 'team/***', 'REPOSITORY_PATTERN_INVALID'],
    ['digest', 'sha256:a', 'DIGEST_INVALID'],
    ['package', 'a\nb', 'NOT_ONE_LINE'],
    ['reason', ' ', 'REQUIRED'],
    ['status', 'fixed', 'NOT_A_CHOICE'],
    ['justification', 'component_not_present', 'JUSTIFICATION_UNEXPECTED'],
    ['expires_at', 'tomorrow', 'INVALID_FORMAT'],
    ['expires_at', daysFromNow(366), 'WAIVER_END_INVALID'],
    ['expires_at', daysFromNow(-1), 'WAIVER_END_INVALID'],
    ['folder', 'missing', 'FOLDER_UNKNOWN'],
    ['state', 'approved', 'UNKNOWN_FIELD'],
    ['approvals', [], 'UNKNOWN_FIELD'],
  ])('with the %s %j answers %s', async (path, value, code) => {
    const { errors } = await refusal(ask('root', { [path]: value }));
    expect(errors).toMatchObject([{ path, code }]);
  });

  it('for a version needs its package', async () => {
    const { errors } = await refusal(ask('dev', { package_version: '3.0.1' }));
    expect(errors).toMatchObject([{ path: 'package', code: 'PACKAGE_REQUIRED' }]);
  });

  it('of the status not_affected needs a justification', async () => {
    const { errors } = await refusal(ask('dev', { status: 'not_affected' }));
    expect(errors).toMatchObject([{ path: 'justification', code: 'JUSTIFICATION_REQUIRED' }]);
  });
});

describe('approving', () => {
  it.each([
    ['another reviewer', 'dev', 'rita', 200, undefined],
    ['an administrator', 'dev', 'root', 200, undefined],
    ['its requester without the right', 'dev', 'dev', 403, 'WAIVER_FORBIDDEN'],
    ['its requester, a reviewer', 'rita', 'rita', 403, 'WAIVER_OWN_REQUEST'],
    ['its requester, an administrator', 'root', 'root', 403, 'WAIVER_OWN_REQUEST'],
    ['another administrator', 'root', 'boss', 200, undefined],
    ['an account that may not see it', 'dev', 'eve', 404, 'WAIVER_UNKNOWN'],
  ])('by %s', async (_, requester, reviewer, status, code) => {
    const answer = await approve(reviewer, await requested(requester));
    const body = await (status === 200 ? json : refusal)(answer);
    expect([answer.status, body.code]).toEqual([status, code]);
    if (status === 200) expect(body).toMatchObject({ state: 'approved', in_force: true });
  });

  it('is denied to the requester after a change of name, and through each of its tokens', async () => {
    const id = await requested('rita');
    const again = await api.as('rita');
    await rename('rita', 'margarita');
    onTestFinished(() => rename('margarita', 'rita'));
    for (const client of [by('rita'), again])
      expect(await codeOf(client.post(`/api/waivers/${id}/approve`))).toEqual([
        403,
        'WAIVER_OWN_REQUEST',
      ]);
    expect(await read('root', id)).toMatchObject({ state: 'requested', approvals: [] });
  });

  it('names the accounts that approved it', async () => {
    const id = await requested();
    await approve('rita', id);
    expect((await read('dev', id)).approvals).toMatchObject([
      { id: idOf('rita'), username: 'rita' },
    ]);
  });

  it.each([
    ['is disabled', { disabled: true }],
    ['is no administrator any more', { isAdmin: false }],
  ])('is refused once the requester %s, and undone for what was approved', async (_, change) => {
    const author = await api.account(`author-${randomUUID()}`, { isAdmin: true });
    const [open, approved] = [
      await insertedBy(author, 'requested'),
      await insertedBy(author, 'approved'),
    ];
    expect((await read('root', approved)).in_force).toBe(true);
    await api.store.users.update(author, change);
    expect(await codeOf(approve('rita', open))).toEqual([409, 'WAIVER_REQUESTER_FORBIDDEN']);
    expect((await read('root', approved)).in_force).toBe(false);
  });
});

/** The API has no change of names; an operator may make one in the database. */
async function rename(from: string, to: string): Promise<void> {
  const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  await sql.query('UPDATE users SET username = $2, username_key = $2 WHERE username = $1', [
    from,
    to,
  ]);
  await sql.end();
}

async function insertedBy(
  requestedById: string,
  state: 'requested' | 'approved',
  expiresAt = new Date(Date.now() + 86_400_000),
): Promise<string> {
  const waiver = await api.store.waivers.insertWaiver({
    vulnerability: 'CVE-2026-2',
    package: null,
    packageVersion: null,
    repository: null,
    digest: null,
    folder: 'team',
    status: 'accepted',
    justification: null,
    reason: 'not reachable',
    ticket: null,
    vexDocument: null,
    requestedById,
    expiresAt,
  });
  await api.store.waivers.save({ ...waiver, state });
  return waiver.id;
}

describe('with two approvals', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await startApi({ WAIVER_APPROVALS: '2' }, api);
  });
  afterAll(() => strict?.stop());

  async function approveAs(name: string, id: string) {
    return json((await strict.as(name)).post(`/api/waivers/${id}/approve`));
  }

  it('the second one of another account puts it in force', async () => {
    const id = await requested();
    const once = { state: 'requested', in_force: false, approvals_needed: 2 };
    expect(await approveAs('rita', id)).toMatchObject(once);
    expect(await approveAs('rita', id)).toMatchObject(once);
    expect(await approveAs('root', id)).toMatchObject({ state: 'approved', in_force: true });
  });

  it('the first one does not count once its account may review no more', async () => {
    const id = await requested();
    await approveAs('rob', id);
    await api.store.users.update(idOf('rob'), { canBypassVulnBlock: false });
    onTestFinished(async () => {
      await api.store.users.update(idOf('rob'), { canBypassVulnBlock: true });
    });
    expect(await approveAs('root', id)).toMatchObject({ state: 'requested' });
    expect(await approveAs('rita', id)).toMatchObject({ state: 'approved' });
  });
});

describe('every transition', () => {
  const steps = { approve, reject, revoke };
  it.each<[string, (keyof typeof steps)[], keyof typeof steps, [number, string]]>([
    ['requested → approved', [], 'approve', [200, 'approved']],
    ['requested → rejected', [], 'reject', [200, 'rejected']],
    ['requested → revoked', [], 'revoke', [200, 'revoked']],
    ['approved → revoked', ['approve'], 'revoke', [200, 'revoked']],
    ['approved → approved', ['approve'], 'approve', [409, 'approved']],
    ['approved → rejected', ['approve'], 'reject', [409, 'approved']],
    ['rejected → approved', ['reject'], 'approve', [409, 'rejected']],
    ['rejected → revoked', ['reject'], 'revoke', [409, 'rejected']],
    ['revoked → approved', ['revoke'], 'approve', [409, 'revoked']],
    ['revoked → rejected', ['revoke'], 'reject', [409, 'revoked']],
    ['revoked → revoked', ['approve', 'revoke'], 'revoke', [409, 'revoked']],
  ])('%s', async (_, before, last, [status, state]) => {
    const id = await requested();
    for (const step of before) expect((await steps[step]('root', id)).status).toBe(200);
    const answer = await steps[last]('root', id);
    expect(answer.status).toBe(status);
    if (status === 409) expect((await refusal(answer)).code).toBe('WAIVER_CLOSED');
    expect(await read('root', id)).toMatchObject({ state, in_force: state === 'approved' });
  });

  it.each(['approve', 'reject', 'revoke'] as const)('%s after the end', async (step) => {
    const ended = await insertedBy(idOf('dev'), 'requested', new Date(Date.now() - 1));
    expect(await codeOf(steps[step]('root', ended))).toEqual([409, 'WAIVER_CLOSED']);
    expect((await read('root', ended)).state).toBe('expired');
  });

  it('records who closed it and why', async () => {
    const id = await requested();
    await reject('rita', id);
    expect((await read('dev', id)).closed).toMatchObject({ by: 'rita', reason: 'it is reachable' });
  });

  it.each([
    ['its requester', 'dev', 200],
    ['a reviewer', 'rita', 200],
    ['another account', 'eve', 404],
  ])('is revoked by %s', async (_, name, status) => {
    const id = await requested();
    await approve('root', id);
    expect((await revoke(name, id)).status).toBe(status);
  });

  it('two concurrent reviews: one of them wins', async () => {
    const id = await requested();
    const answers = await Promise.all([reject('rita', id), approve('root', id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('is an audit event, and is announced to all processes', async () => {
    const seen = vi.fn();
    const watch = watchChanges(api.redis, seen);
    onTestFinished(() => watch.close());
    await expect.poll(() => watch.live()).toBe(true);
    seen.mockClear();
    const [one, other] = [await requested(), await requested()];
    await approve('rita', one);
    await revoke('rita', one);
    await reject('rita', other);
    await expect.poll(() => seen.mock.calls.filter(([kind]) => kind === 'gate').length).toBe(5);
    const events = (await published(api, 20)).filter(({ resource }) =>
      [one, other].includes(resource?.id ?? ''),
    );
    expect(events.map(({ event, actor }) => `${event} ${actor.name}`).toSorted()).toEqual([
      'waiver.approved rita',
      'waiver.rejected rita',
      'waiver.requested dev',
      'waiver.requested dev',
      'waiver.revoked rita',
    ]);
  });
});

it('ends with its folder', async () => {
  const { folderId } = await api.grant(idOf('dev'), 'short', { canPush: true, canPull: true });
  const id = await requested('dev', { folder: 'short' });
  await approve('root', id);
  await by('root').delete(`/api/folders/${folderId}?force=true`);
  expect(await codeOf(by('root').get(`/api/waivers/${id}`))).toEqual([404, 'WAIVER_UNKNOWN']);
});

let vulnerabilities = 10_000;
const anotherVulnerability = () => `CVE-2026-${vulnerabilities++}`;

it.each([
  ['an administrator sees all', 'root', ['all', 'other', 'team']],
  ['a requester sees its own, and those of all folders', 'dev', ['all', 'team']],
  ['an account that may pull sees those of the folder', 'rob', ['all', 'team']],
  ['any account sees those of all folders', 'out', ['all']],
])('of a list %s', async (_, name, expected) => {
  const vulnerability = anotherVulnerability();
  await requested('rita', { folder: null, vulnerability });
  await requested('dev', { vulnerability });
  await requested('eve', { folder: 'other', vulnerability });
  const answer = await by(name).get(`/api/waivers?vulnerability=${vulnerability}`);
  const found: { folder: string | null }[] = await json(answer);
  expect(found.map(({ folder }) => folder ?? 'all').toSorted()).toEqual(expected);
  expect(answer.headers.get('x-total-count')).toBe(String(expected.length));
});

it('a list is sorted over its pages, and refuses an order that it does not have', async () => {
  const vulnerability = anotherVulnerability();
  const ids = new Map<string, string>();
  for (const [name, days] of Object.entries({ a: 30, b: 10, c: 20 }))
    ids.set(await requested('dev', { vulnerability, expires_at: daysFromNow(days) }), name);
  let next: string | undefined =
    `/api/waivers?vulnerability=${vulnerability}&sort=expires_at&limit=2`;
  let seen = '';
  while (next !== undefined) {
    const reply: Response = await by('rita').get(next);
    const page: { id: string }[] = await json(reply);
    seen += page.map(({ id }) => ids.get(id)).join('');
    next = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toBe('bca');
  const { errors } = await refusal(by('rita').get('/api/waivers?sort=reason'));
  const choices = expect.stringContaining('-expires_at');
  expect(errors).toMatchObject([{ path: 'sort', code: 'NOT_A_CHOICE', params: { choices } }]);
});

describe('a list by requester and date', () => {
  const vulnerability = 'CVE-2026-55601';
  const found = async (query: string, name = 'rita') => {
    const answer = await by(name).get(`/api/waivers?vulnerability=${vulnerability}&${query}`);
    const waivers: { requested_by: { username: string } }[] = await json(answer);
    const names = waivers.map(({ requested_by }) => requested_by.username).toSorted();
    return [names.join(), answer.headers.get('x-total-count')];
  };

  beforeAll(async () => {
    await requested('dev', { vulnerability, expires_at: daysFromNow(5) });
    await requested('rita', { vulnerability, expires_at: daysFromNow(50) });
    await requested('eve', { vulnerability, folder: 'other' });
    const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
    await sql.query(
      `UPDATE waivers SET created_at = now() - interval '9 days' WHERE vulnerability = $1 AND requested_by_id = $2::uuid`,
      [vulnerability, idOf('dev')],
    );
    await sql.end();
  });

  it.each([
    ['requested_by=DEV', 'dev', '1'],
    ['requested_by=nobody', '', '0'],
    [`since=${daysFromNow(-7)}`, 'rita', '1'],
    [`until=${daysFromNow(-7)}`, 'dev', '1'],
    [`ends_before=${daysFromNow(7)}`, 'dev', '1'],
    [`ends_after=${daysFromNow(7)}&ends_before=${daysFromNow(90)}`, 'rita', '1'],
    [`state=requested&requested_by=rita&sort=state`, 'rita', '1'],
  ])('%s has those of %s alone', async (query, names, total) => {
    expect(await found(query)).toEqual([names, total]);
  });

  it('has none that the account may not see', async () => {
    expect(await found('requested_by=eve')).toEqual(['', '0']);
    expect(await found('requested_by=eve', 'root')).toEqual(['eve', '1']);
  });

  it.each(['_', '%25', '%5C'])('takes a wildcard of SQL for itself: %s', async (q) => {
    expect(await found(`q=${q}`)).toEqual(['', '0']);
  });

  it('refuses what is no time, and says which', async () => {
    const { errors } = await refusal(by('rita').get('/api/waivers?ends_before=soon'));
    expect(errors).toMatchObject([{ path: 'ends_before', code: 'INVALID_FORMAT' }]);
  });
});

describe('a list of what an account can review', () => {
  const vulnerability = 'CVE-2026-55501';
  const reviewable = (name: string) =>
    by(name).get('/api/waivers?reviewable=true&q=cve-2026-5550&limit=1');

  beforeAll(async () => {
    for (const name of ['dev', 'root', 'root', 'rita']) await requested(name, { vulnerability });
    await reject('boss', await requested('dev', { vulnerability }));
  });

  it.each([
    ['a reviewer gets those of others', 'rita', '3'],
    ['an administrator does not get its own', 'root', '2'],
    ['another administrator gets all', 'boss', '4'],
    ['an account that may not review gets none', 'dev', '0'],
  ])('%s', async (_, name, total) => {
    expect((await reviewable(name)).headers.get('x-total-count')).toBe(total);
  });
});
