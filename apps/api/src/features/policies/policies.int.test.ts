/** Policies over the REST API: who reads which, and changes with versions. */

import { randomUUID } from 'node:crypto';
import { watchChanges } from '@portcullis/events';
import { json, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let root: Client;
let ann: Client;
let annId: string;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  root = await api.as('root');
  ann = await api.as('ann');
});
afterAll(() => api?.stop());

const CRITICAL = { severities: ['CRITICAL'] };

async function created(change: object = {}) {
  return json(root.post('/api/policies', { name: randomUUID(), rules: [CRITICAL], ...change }));
}

/** The event of the newest change, as every process sees it. */
async function newestEvent(id: string) {
  const found = async () =>
    (await published(api, 50)).filter(({ resource }) => resource?.id === id);
  await expect.poll(async () => (await found()).length).toBeGreaterThan(0);
  return (await found())[0];
}

describe('creating', () => {
  it('fills in the terms that are absent, and is an audit event', async () => {
    const reply = await root.post('/api/policies', { name: ' prod ', rules: [CRITICAL] });
    const policy = await json(reply);
    expect([reply.status, reply.headers.get('location')]).toEqual([
      201,
      `/api/policies/${policy.id}`,
    ]);
    expect(policy).toMatchObject({
      name: 'prod',
      version: 1,
      rules: [{ ...CRITICAL, fixable: 'any', kev: 'any', min_epss: null, action: 'block' }],
      unscannable: 'block',
      on_error: 'block',
      artifacts: 'allow',
      third_party: 'partial',
      max_database_age_days: null,
      grace_days: 7,
      source: 'stored',
      used_by: { folders: [], registries: [] },
    });
    expect(await newestEvent(policy.id)).toMatchObject({
      event: 'policy.create',
      actor: { name: 'root' },
      resource: { kind: 'policy', name: 'prod' },
      detail: { grace_days: 7, rules: [CRITICAL] },
    });
    expect(await codeOf(root.post('/api/policies', { name: 'prod', rules: [] }))).toEqual([
      409,
      'POLICY_NAME_TAKEN',
    ]);
  });

  it.each<[string, string, object, string]>([
    ['no rules', 'rules', { rules: undefined }, 'REQUIRED'],
    ['a rule without severities', 'rules.0.severities', { rules: [{ severities: [] }] }, 'TOO_FEW'],
    [
      'a severity twice',
      'rules.0.severities',
      { rules: [{ severities: ['LOW', 'LOW'] }] },
      'SEVERITIES_REPEATED',
    ],
    [
      'an unknown severity',
      'rules.1.severities.0',
      { rules: [CRITICAL, { severities: ['BAD'] }] },
      'NOT_A_CHOICE',
    ],
    ['an unknown term', 'rules.0.score', { rules: [{ ...CRITICAL, score: 7 }] }, 'UNKNOWN_FIELD'],
    [
      'a probability over 1',
      'rules.0.min_epss',
      { rules: [{ ...CRITICAL, min_epss: 1.1 }] },
      'TOO_LARGE',
    ],
    [
      'a negative age',
      'rules.0.min_age_days',
      { rules: [{ ...CRITICAL, min_age_days: -1 }] },
      'TOO_SMALL',
    ],
    ['too many rules', 'rules', { rules: Array.from({ length: 51 }, () => CRITICAL) }, 'TOO_MANY'],
    ['a year of grace and a day', 'grace_days', { grace_days: 366 }, 'TOO_LARGE'],
    ['a database of age 0', 'max_database_age_days', { max_database_age_days: 0 }, 'TOO_SMALL'],
    ['another word', 'unscannable', { unscannable: 'warn' }, 'NOT_A_CHOICE'],
    ['an empty name', 'name', { name: ' ' }, 'REQUIRED'],
    ['a name of two lines', 'name', { name: 'a\nb' }, 'NOT_ONE_LINE'],
    ['the name of the default policy', 'name', { name: 'Default' }, 'POLICY_NAME_RESERVED'],
    ['a version', 'version', { version: 1 }, 'UNKNOWN_FIELD'],
  ])('with %s names the field %s', async (_, path, change, code) => {
    const reply = await root.post('/api/policies', {
      name: randomUUID(),
      rules: [CRITICAL],
      ...change,
    });
    expect(reply.status).toBe(422);
    expect((await refusal(reply)).errors).toMatchObject([{ path, code }]);
  });
});

describe('changing', () => {
  it('makes a version of changed terms, keeps absent ones, and records the difference', async () => {
    const { id } = await created({ grace_days: 3, artifacts: 'block' });
    const change = { version: 1, rules: [CRITICAL, { severities: ['LOW'], action: 'warn' }] };
    const changed = await json(root.patch(`/api/policies/${id}`, { ...change, grace_days: 0 }));
    expect(changed).toMatchObject({ version: 2, grace_days: 0, artifacts: 'block' });
    const { versions, ...policy } = await json(root.get(`/api/policies/${id}`));
    expect(policy).toEqual(changed);
    expect(versions).toMatchObject([
      { version: 2, grace_days: 0, saved_by: 'root' },
      { version: 1, grace_days: 3, rules: [CRITICAL] },
    ]);
    const { detail } = (await newestEvent(id)) ?? {};
    expect(detail).toMatchObject({
      version: { from: 1, to: 2 },
      grace_days: { from: 3, to: 0 },
      rules_added: [{ at: 1, severities: ['LOW'], action: 'warn' }],
    });
    expect(Object.keys(detail ?? {})).toHaveLength(3);
  });

  it.each([
    ['a new name', { name: randomUUID() }],
    ['the terms that it has', { grace_days: 7, rules: [CRITICAL] }],
  ])('to %s makes no version', async (_, change) => {
    const { id } = await created();
    const changed = await json(root.patch(`/api/policies/${id}`, { version: 1, ...change }));
    expect(changed).toMatchObject({ version: 1, ...('name' in change && change) });
    expect((await json(root.get(`/api/policies/${id}`))).versions).toHaveLength(1);
  });

  it('made from an older version is refused, and one of two at once', async () => {
    const { id } = await created();
    const set = (grace_days: number, version = 1) =>
      root.patch(`/api/policies/${id}`, { version, grace_days });
    const statuses = (await Promise.all([set(1), set(2)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(await codeOf(set(3))).toEqual([409, 'POLICY_CHANGED']);
    expect((await set(3, 2)).status).toBe(200);
  });

  it.each<[string, () => Promise<Response>, number, string]>([
    [
      'the default policy',
      () => root.patch('/api/policies/default', { version: 1, grace_days: 0 }),
      403,
      'POLICY_PROTECTED',
    ],
    ['a missing one', () => root.delete(`/api/policies/${randomUUID()}`), 404, 'POLICY_UNKNOWN'],
    [
      'the default policy away',
      () => root.delete('/api/policies/default'),
      403,
      'POLICY_PROTECTED',
    ],
  ])('%s is refused', async (_, send, status, code) => {
    expect(await codeOf(send())).toEqual([status, code]);
  });

  it('is announced to all processes', async () => {
    const seen = vi.fn();
    const watch = watchChanges(api.redis, seen);
    onTestFinished(() => watch.close());
    await expect.poll(() => watch.live()).toBe(true);
    seen.mockClear();
    const { id } = await created();
    await root.patch(`/api/policies/${id}`, { version: 1, grace_days: 0 });
    await root.delete(`/api/policies/${id}`);
    const changes = () => seen.mock.calls.filter(([kind]) => kind === 'gate');
    await expect.poll(changes).toHaveLength(3);
  });
});

describe('deleting', () => {
  it('is refused while a folder or a registry uses it, and names them', async () => {
    const { id } = await created();
    const { id: folderId } = await api.store.folders.insertFolder({ name: 'busy' });
    await api.store.folders.update(folderId, { policyId: id });
    const registry = { name: 'outside', host: 'registry.example', policyId: id };
    const { id: registryId } = await api.store.registries.insert(registry);
    const refused = await root.delete(`/api/policies/${id}`);
    expect(refused.status).toBe(409);
    expect(await refusal(refused)).toMatchObject({
      code: 'POLICY_IN_USE',
      detail: 'The policy is used by folders busy and registries outside.',
    });
    await api.store.folders.update(folderId, { policyId: null });
    await api.store.registries.remove(registryId);
    expect((await root.delete(`/api/policies/${id}`)).status).toBe(204);
    expect(await newestEvent(id)).toMatchObject({
      event: 'policy.delete',
      outcome: 'success',
      detail: { version: 1, rules: [CRITICAL] },
    });
  });
});

describe('reading', () => {
  it('begins with the default policy, which has the rules of the scan settings', async () => {
    await root.put('/api/trivy/override', { severities: ['LOW'], ignore_unfixed: true });
    onTestFinished(async () => void (await root.delete('/api/trivy/override')));
    const [first] = await json(ann.get('/api/policies'));
    expect(first).toMatchObject({
      id: null,
      name: 'default',
      version: null,
      source: 'scan_settings',
      rules: [{ severities: ['LOW'], fixable: 'only' }],
    });
    expect(await json(ann.get('/api/policies/default'))).toEqual({ ...first, versions: [] });
  });

  it('shows an account the policies of its folders and registries, with these alone', async () => {
    const [ofFolder, ofRegistry, ofOthers] = await Promise.all([created(), created(), created()]);
    const { folderId } = await api.grant(annId, 'mine', { canPull: true });
    await api.store.folders.update(folderId, { policyId: ofFolder.id });
    for (const [name, { id: policyId }] of [
      ['hidden', ofFolder],
      ['theirs', ofOthers],
    ] as const) {
      const { id } = await api.store.folders.insertFolder({ name });
      await api.store.folders.update(id, { policyId });
    }
    const registry = { name: 'hers', host: 'registry.example', ownerId: annId };
    const saved = { ...registry, policyId: ofRegistry.id };
    const { id: registryId } = await api.store.registries.insert(saved);

    const listed: { id: string; used_by: object }[] = await json(ann.get('/api/policies'));
    const usedBy = new Map(listed.map(({ id, used_by }) => [id, used_by]));
    expect(usedBy.get(ofFolder.id)).toEqual({ folders: ['mine'], registries: [] });
    expect(usedBy.get(ofRegistry.id)).toEqual({
      folders: [],
      registries: [{ id: registryId, name: 'hers' }],
    });
    expect(usedBy.has(ofOthers.id)).toBe(false);
    expect(await codeOf(ann.get(`/api/policies/${ofOthers.id}`))).toEqual([404, 'POLICY_UNKNOWN']);
    const { used_by } = await json(root.get(`/api/policies/${ofFolder.id}`));
    expect(used_by.folders).toEqual(['hidden', 'mine']);
  });
});
