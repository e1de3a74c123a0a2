/** Authorities over the REST API: who reads and saves them, and what is wrong with them. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { watchChanges } from '@portcullis/events';
import { json, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let root: Client;
let ann: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.account('ann');
  root = await api.as('root');
  ann = await api.as('ann');
});
afterAll(() => api?.stop());

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEYS = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const PRIVATE = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEY = { kind: 'key', keys: KEYS };
const KEYLESS = {
  kind: 'keyless',
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'https://github.com/acme/app/.github/workflows/release.yml@refs/tags/*',
  claims: { source_repository: 'https://github.com/acme/app' },
};

async function created(terms: object = KEY): Promise<string> {
  const name = randomUUID();
  expect((await root.post('/api/authorities', { name, ...terms })).status).toBe(201);
  return name;
}

describe('an authority', () => {
  it('is created, read by any account, replaced by its version, and removed', async () => {
    const name = randomUUID();
    const made = await root.post('/api/authorities', { name, ...KEYLESS });
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/authorities/${name}`]);
    expect(await json(made)).toMatchObject({
      ...{ name, version: 1, kind: 'keyless', issuer: KEYLESS.issuer, shipped_root: true },
      ...{ signers: [KEYLESS.subject], used_by: [] },
    });
    const terms = { ...KEYLESS, root: 'sigstore' };
    const detail = { terms, versions: [{ version: 1, terms, saved_by: 'root' }] };
    expect(await json(ann.get(`/api/authorities/${name}`))).toMatchObject(detail);
    const changed = await json(root.put(`/api/authorities/${name}`, { version: 1, ...KEY }));
    expect(changed).toMatchObject({ version: 2, kind: 'key', issuer: null, shipped_root: false });
    expect(changed.signers).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
    expect(await codeOf(root.put(`/api/authorities/${name}`, { version: 1, ...KEY }))).toEqual([
      409,
      'AUTHORITY_CHANGED',
    ]);
    const { items } = await json(ann.get('/api/authorities'));
    expect(items.map((each: { name: string }) => each.name)).toContain(name);
    expect((await root.delete(`/api/authorities/${name}`)).status).toBe(204);
    expect(await codeOf(root.get(`/api/authorities/${name}`))).toEqual([404, 'AUTHORITY_UNKNOWN']);
    expect(await codeOf(root.delete(`/api/authorities/${name}`))).toEqual([
      404,
      'AUTHORITY_UNKNOWN',
    ]);
  });

  it('of a name that is taken is refused', async () => {
    const name = await created();
    expect(await codeOf(root.post('/api/authorities', { name, ...KEY }))).toEqual([
      409,
      'AUTHORITY_NAME_TAKEN',
    ]);
  });

  it('that a policy names stays, and administrators see which', async () => {
    const name = await created();
    const signatures = [{ images: '**', any_of: [name] }];
    await json(root.post('/api/policies', { name: `${name}-policy`, rules: [], signatures }));
    expect(await codeOf(root.delete(`/api/authorities/${name}`))).toEqual([
      409,
      'AUTHORITY_IN_USE',
    ]);
    const usedBy = async (client: Client) =>
      (await json(client.get(`/api/authorities/${name}`))).used_by;
    expect(await usedBy(root)).toEqual([`${name}-policy`]);
    expect(await usedBy(ann)).toEqual([]);
  });

  it('that is saved or removed is an audit event, and every process hears of it', async () => {
    const heard = vi.fn();
    const watch = watchChanges(api.redis, heard);
    onTestFinished(() => watch.close());
    await expect.poll(() => watch.live()).toBe(true);
    heard.mockClear();
    const name = await created();
    await root.delete(`/api/authorities/${name}`);
    const changes = () => heard.mock.calls.filter(([kind]) => kind === 'gate');
    await expect.poll(changes).toHaveLength(2);
    const events = (await published(api, 20)).filter(({ resource }) => resource?.id === name);
    expect(events.map(({ event, resource }) => [event, resource?.kind])).toEqual([
      ['authority.delete', 'authority'],
      ['authority.create', 'authority'],
    ]);
    expect(events[1]?.detail).toMatchObject({ kind: 'key', version: 1 });
    expect(JSON.stringify(events)).not.toContain('BEGIN');
  });

  it('relies on a shipped root of a day that the list says', async () => {
    const { sigstore_root: shipped } = await json(ann.get('/api/authorities'));
    expect(shipped).toEqual({ date: '2026-11-05', is_old: false });
  });
});

const CERTIFICATE = { kind: 'certificate', identities: ['*'] };
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const SHORT = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const P521 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey;

describe('what is wrong with an authority', () => {
  it.each<[string, string, object]>([
    ['KEY_INVALID', 'keys', { kind: 'key', keys: 'none' }],
    ['KEY_IS_PRIVATE', 'keys', { kind: 'key', keys: PRIVATE }],
    ['KEY_TOO_SHORT', 'keys', { kind: 'key', keys: SHORT }],
    [
      'KEY_TYPE_REFUSED',
      'keys',
      { kind: 'key', keys: P521.export({ type: 'spki', format: 'pem' }) },
    ],
    ['KEYS_TOO_MANY', 'keys', { kind: 'key', keys: KEYS.repeat(21) }],
    ['ISSUER_INVALID', 'issuer', { ...KEYLESS, issuer: 'https://*' }],
    ['PATTERN_TOO_WIDE', 'subject', { ...KEYLESS, subject: 'https://github.com/**' }],
    ['ROOT_INVALID', 'root', { ...KEYLESS, root: '{}' }],
    ['STORE_MISSING', 'store', CERTIFICATE],
    ['STORE_INVALID', 'store', { ...CERTIFICATE, store: KEYS }],
  ])('is %s of the field %s, at a check and when it is saved', async (code, path, terms) => {
    const { errors } = await json(root.post('/api/authorities/check', terms));
    expect(errors).toMatchObject([{ code, path }]);
    const refused = await root.post('/api/authorities', { name: randomUUID(), ...terms });
    expect(refused.status).toBe(422);
    expect(await refusal(refused)).toMatchObject({ code: 'VALIDATION_FAILED', errors });
  });

  it.each<[string, string, object]>([
    ['REQUIRED', 'keys', { kind: 'key' }],
    ['UNKNOWN_FIELD', 'keys', { ...KEYLESS, keys: KEYS }],
    ['UNKNOWN_FIELD', 'claims.other', { ...KEYLESS, claims: { other: 'x' } }],
  ])('as a request is %s of the field %s', async (code, path, terms) => {
    const { errors } = await refusal(root.post('/api/authorities/check', terms));
    expect(errors).toMatchObject([{ code, path }]);
  });

  it('is nothing where it is sound, and a check saves nothing', async () => {
    expect(await json(root.post('/api/authorities/check', KEY))).toEqual({ errors: [] });
    expect(await json(root.post('/api/authorities/check', KEYLESS))).toEqual({ errors: [] });
  });
});
