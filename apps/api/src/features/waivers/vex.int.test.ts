/** OpenVEX over the REST API: imported, approved, exported, attached and imported again. */
import { buildImage, json, pushImage } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let root: Client;
let dev: Client;
let digest: string;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.grant(await api.account('dev'), 'team', { canPull: true, canPush: true });
  [root, dev] = await Promise.all([api.as('root'), api.as('dev')]);
  const image = await buildImage({ layers: [{ a: '1' }] });
  await pushImage(api.registry.url, 'team/app', '1', image);
  digest = image.digest;
  const purl = 'pkg:deb/debian/openssl@1.0?arch=amd64';
  const report = sampleReport([{ id: 'CVE-2026-1111', package: 'openssl', purl }]);
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
  const facts = { artifactType: null, subject: null, size: 1, contents: [], platforms: [] };
  const manifests = [{ digest, mediaType: image.descriptor.mediaType, ...facts }];
  await api.store.images.record({
    repository: 'team/app',
    tag: '1',
    digest,
    manifests,
    at: new Date(),
  });
});
afterAll(() => api?.stop());

const hex = () => digest.slice('sha256:'.length);

function documentOf(change: object = {}): Record<string, unknown> {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://vendor.example/vex/1',
    author: 'Vendor',
    timestamp: '2026-11-22T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { name: 'CVE-2026-1111' },
        products: [
          {
            '@id': `pkg:oci/app@sha256%3A${hex()}`,
            subcomponents: [{ '@id': 'pkg:deb/debian/openssl@1.0' }],
          },
        ],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        impact_statement: 'The server is built without TLS.',
      },
      { vulnerability: { name: 'CVE-2026-2222' }, status: 'fixed' },
    ],
    ...change,
  };
}

const importAs = (client: Client, document: object, folder = 'team') =>
  client.post(`/api/waivers/vex?folder=${folder}&days=30`, document);

it('a document is imported as requests, approved by another, and exported and attached', async () => {
  expect(await codeOf(root.get('/api/waivers/vex?repository=team/app&reference=1'))).toEqual([
    409,
    'VEX_EMPTY',
  ]);
  const { waivers, skipped } = await json(importAs(root, documentOf()));
  expect(skipped).toEqual([{ statement: 1, reason: 'FIXED' }]);
  expect(waivers).toMatchObject([
    {
      vulnerability: 'CVE-2026-1111',
      package: 'openssl',
      package_version: '1.0',
      digest,
      folder: 'team',
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      reason: 'The server is built without TLS.',
      vex: { document: 'https://vendor.example/vex/1', author: 'Vendor' },
      state: 'requested',
      in_force: false,
    },
  ]);
  const [{ id }] = waivers;
  expect(await codeOf(root.post(`/api/waivers/${id}/approve`))).toEqual([
    403,
    'WAIVER_OWN_REQUEST',
  ]);
  await api.account('boss', { isAdmin: true });
  await (await api.as('boss')).post(`/api/waivers/${id}/approve`);

  const product = {
    identifiers: {
      purl: `pkg:oci/app@sha256%3A${hex()}?repository_url=${encodeURIComponent(`${api.host.replace('127.0.0.1', 'localhost')}/team/app`)}`,
    },
    subcomponents: [{ '@id': 'pkg:deb/debian/openssl@1.0?arch=amd64' }],
  };
  const statement = {
    vulnerability: { name: 'CVE-2026-1111' },
    status: 'not_affected',
    justification: 'vulnerable_code_not_in_execute_path',
    impact_statement: 'The server is built without TLS.',
    products: [product],
  };
  const ofImage = await json(dev.get('/api/waivers/vex?repository=team/app&reference=1'));
  expect(ofImage.statements).toMatchObject([statement]);
  const ofFolder = await json(dev.get('/api/waivers/vex?folder=team'));
  expect(ofFolder.statements).toEqual(ofImage.statements);

  const again = await json(importAs(dev, ofImage));
  expect(again.waivers).toMatchObject([
    { vulnerability: 'CVE-2026-1111', package: 'openssl', digest, repository: 'team/app' },
  ]);
  expect((await json(importAs(dev, ofImage))).skipped).toEqual([
    { statement: 0, reason: 'ALREADY_REQUESTED' },
  ]);

  const attach = () =>
    dev.post('/api/waivers/vex/attach', { repository: 'team/app', reference: '1' });
  const limit = (quota_bytes: number | null) =>
    json(root.patch('/api/folders/team', { quota_bytes }));
  await limit(1);
  expect(await codeOf(attach())).toEqual([409, 'QUOTA_EXCEEDED']);
  await limit(null);
  const attached = await attach();
  expect(attached.status).toBe(201);
  const pushed = await json(attached);
  expect(pushed.subject).toBe(digest);
  const basic = `Basic ${Buffer.from('dev:pass-of-dev').toString('base64')}`;
  const fetched = (path: string) =>
    json(fetch(`${api.url}/v2/team/app/${path}`, { headers: { authorization: basic } }));
  const { manifests } = await fetched(`referrers/${digest}`);
  expect(manifests).toMatchObject([
    { digest: pushed.digest, artifactType: 'application/vnd.openvex+json' },
  ]);
  const manifest = await fetched(`manifests/${pushed.digest}`);
  expect(manifest).toMatchObject({
    artifactType: 'application/vnd.openvex+json',
    subject: { digest },
  });
  const published = await fetched(`blobs/${manifest.layers[0].digest}`);
  expect(published.statements).toEqual(ofImage.statements);
});

describe('a hostile document', () => {
  const statement = (change: object) => ({
    statements: [{ vulnerability: { name: 'CVE-2026-1' }, status: 'not_affected', ...change }],
  });
  it.each<[string, object]>([
    ['of another context', { '@context': 'https://openvex.dev/ns/v9' }],
    ['with a list of contexts', { '@context': ['https://openvex.dev/ns/v0.2.0'] }],
    ['with an unknown field', { approved_by: ['root'] }],
    ['without statements', { statements: [] }],
    ['with an unknown status', statement({ status: 'accepted' })],
    ['with an unknown justification', statement({ justification: 'trust me' })],
    ['with a time that is none', { timestamp: 'now' }],
    ['with NUL', { author: 'a\0b' }],
    ['with too many statements', { statements: Array(501).fill(documentOf.name) }],
    ['with a product that is text', statement({ products: ['pkg:oci/app'] })],
  ])('%s is refused', async (_, change) => {
    expect(await codeOf(importAs(root, documentOf(change)))).toEqual([422, 'VALIDATION_FAILED']);
  });

  it('that makes more waivers than a document may is refused as a whole', async () => {
    const subcomponents = Array.from({ length: 400 }, (_, at) => ({ '@id': `pkg:npm/p${at}@1` }));
    const products = ['b', 'c'].map((letter) => ({
      '@id': `sha256:${letter.repeat(64)}`,
      subcomponents,
    }));
    const change = statement({ products, impact_statement: 'none' });
    expect(await codeOf(importAs(root, documentOf(change)))).toEqual([409, 'VEX_TOO_LARGE']);
    expect(await json(root.get(`/api/waivers?vulnerability=CVE-2026-1`))).toEqual([]);
  });

  it.each([
    ['of an account that may not push to the folder', 'dev', 'other', 403],
    ['for a folder that does not exist', 'root', 'missing', 422],
  ])('%s is refused', async (_, name, folder, status) => {
    const client = name === 'root' ? root : dev;
    expect((await importAs(client, documentOf(), folder)).status).toBe(status);
  });
});

it.each([
  ['of a folder that the account may not pull from', '?folder=other'],
  ['of an image of such a folder', '?repository=other/app&reference=1'],
])('the document %s is denied', async (_, query) => {
  await api.store.folders
    .find('other')
    .then((found) => found ?? api.store.folders.insertFolder({ name: 'other' }));
  expect(await codeOf(dev.get(`/api/waivers/vex${query}`))).toEqual([403, 'FOLDER_FORBIDDEN']);
});
