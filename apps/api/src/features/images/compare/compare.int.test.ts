/** The comparison of two images of the built-in registry, with the real one and stored reports. */
import type { ScanReport, Vulnerability } from '@portcullis/domain';
import {
  buildImage,
  buildIndex,
  json,
  pushImage,
  refusal,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../api.fixture.ts';
import { type StartedImages, startImages } from '../images.fixture.ts';

let started: StartedImages;
let ann: Client;

beforeAll(async () => {
  started = await startImages();
  ({ ann } = started);
});
afterAll(() => started?.stop());

const compare = (query: Record<string, string>, registry = '__local__') =>
  ann.get(`/api/images/${registry}/compare?${new URLSearchParams(query)}`);

const version = (text: string, config: Record<string, unknown>, platform = 'linux/amd64') =>
  buildImage({ platform, layers: [{ base: 'shared' }, { text }], config });

const digestAt = ({ blobs }: TestImage, at: number) => blobs[at]?.descriptor.digest;

const found = (id: string, more: Partial<Vulnerability> = {}): Vulnerability => ({
  id,
  severity: 'HIGH',
  title: null,
  cvssScore: null,
  cvssVector: null,
  cvssSource: null,
  primaryUrl: null,
  publishedAt: null,
  packages: [
    {
      name: 'openssl',
      installedVersion: '3.0.1',
      fixedVersion: '3.0.2',
      status: 'fixed',
      target: '',
      path: null,
      purl: null,
      layerDigest: null,
      platform: null,
    },
  ],
  ...more,
});

async function report(image: TestImage, more: Partial<ScanReport>): Promise<void> {
  await started.api.store.reports.record({
    digest: image.digest,
    scannedAt: new Date('2026-05-06T07:08:09Z'),
    report: {
      coverage: 'full',
      notes: [],
      os: null,
      targets: [],
      vulnerabilities: [],
      scanner: { name: 'trivy', version: '1', dbUpdatedAt: '2026-05-06T00:00:00Z' },
      ...more,
    },
  });
}

it('layers, size and configuration are compared without a report, and the report is missing', async () => {
  const [one, two] = [
    await version('first', { Env: ['A=1', 'B=2'], Cmd: ['run'] }),
    await version('the second one', { Env: ['A=3'], Cmd: ['run', '--fast'], User: 'nobody' }),
  ];
  await started.push('team/plain', '1', one);
  await started.push('team/plain', '2', two);
  const body = await json(compare({ repository: 'team/plain', from: '1', to: '2' }));
  expect(body).toMatchObject({
    from: {
      repository: 'team/plain',
      reference: '1',
      digest: one.digest,
      platform: 'linux/amd64',
      report: null,
      packages: 'missing',
    },
    to: { reference: '2', digest: two.digest, report: null, packages: 'missing' },
    platforms: ['linux/amd64'],
    layers: {
      shared: [{ digest: digestAt(one, 1) }],
      from: [{ digest: digestAt(one, 2) }],
      to: [{ digest: digestAt(two, 2) }],
    },
    packages: null,
    findings: null,
    configuration: {
      values: [
        { field: 'env', name: 'A', from: '1', to: '3' },
        { field: 'env', name: 'B', from: '2', to: null },
        { field: 'user', name: null, from: null, to: 'nobody' },
      ],
      commands: [{ field: 'cmd', from: ['run'], to: ['run', '--fast'] }],
    },
  });
  const sizeOf = (image: TestImage) =>
    [image, ...image.blobs].reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect([body.from.size, body.to.size]).toEqual([sizeOf(one), sizeOf(two)]);
});

it('the stored reports are compared, of two repositories as well', async () => {
  const [one, two] = [await version('r1', {}), await version('r2', {})];
  await started.push('team/reported', '1', one);
  await started.push('shared/reported', '2', two);
  await report(one, { vulnerabilities: [found('CVE-1'), found('CVE-2', { severity: 'LOW' })] });
  await report(two, {
    vulnerabilities: [found('CVE-1'), found('CVE-3', { severity: 'CRITICAL' })],
  });
  const query = {
    repository: 'team/reported',
    from: '1',
    to_repository: 'shared/reported',
    to: two.digest,
  };
  const { from, findings } = await json(compare(query));
  expect(from.report).toEqual({
    scanned_at: '2026-05-06T07:08:09.000Z',
    database_updated_at: '2026-05-06T00:00:00Z',
    coverage: 'full',
  });
  expect(findings).toMatchObject({
    new: { CRITICAL: 1 },
    fixed: { LOW: 1 },
    same: { HIGH: 1 },
    changes: [
      { kind: 'new', vulnerability: 'CVE-3' },
      {
        kind: 'same',
        vulnerability: 'CVE-1',
        packages: [{ name: 'openssl', from: ['3.0.1'], to: ['3.0.1'], fixed_version: '3.0.2' }],
      },
      { kind: 'fixed', vulnerability: 'CVE-2' },
    ],
  });
});

it('what was not judged does not count as fixed', async () => {
  const [one, two] = [await version('j1', {}), await version('j2', {})];
  await started.push('team/judged', '1', one);
  await started.push('team/judged', '2', two);
  await report(one, { vulnerabilities: [found('CVE-1')] });
  await report(two, { coverage: 'none' });
  const { to, findings } = await json(compare({ repository: 'team/judged', from: '1', to: '2' }));
  expect(to.report.coverage).toBe('none');
  expect(findings).toBeNull();
});

it('of indexes, a platform that both have is compared, or the one that is named', async () => {
  const arm = 'linux/arm64';
  const [one, two] = [
    await buildIndex([await version('amd', {}), await version('arm', {}, arm)]),
    await buildIndex([await version('ppc', {}, 'linux/ppc64le'), await version('arm 2', {}, arm)]),
  ];
  await started.push('team/index', '1', one);
  await started.push('team/index', '2', two);
  const pair = { repository: 'team/index', from: '1', to: '2' };
  const { from, to, platforms } = await json(compare(pair));
  expect([from.platform, to.platform, platforms]).toEqual([arm, arm, [arm]]);
  expect(from.manifest).toBe(one.children[1]?.digest);
  const refused = await refusal(compare({ ...pair, platform: 'linux/amd64' }));
  expect(refused).toMatchObject({ status: 404, code: 'PLATFORM_UNKNOWN' });
  expect(refused.errors).toMatchObject([{ path: 'platform', code: 'PLATFORM_UNKNOWN' }]);
});

describe('a refusal names the field', () => {
  const here = { repository: 'team/refused', from: '1', to: '1' };
  it.each<[string, Record<string, string>, number, string, string]>([
    ['the first folder', { repository: 'secret/app' }, 403, 'FOLDER_FORBIDDEN', 'repository'],
    [
      'the second folder',
      { to_repository: 'secret/app' },
      403,
      'FOLDER_FORBIDDEN',
      'to_repository',
    ],
    ['the first tag', { from: 'none' }, 404, 'IMAGE_UNKNOWN', 'from'],
    ['the second tag', { to: 'none' }, 404, 'IMAGE_UNKNOWN', 'to'],
    ['the form of a tag', { to: '!' }, 422, 'VALIDATION_FAILED', 'to'],
  ])('%s', async (_, change, status, code, path) => {
    await started.push('team/refused', '1', await version('refused', {}));
    await started.push('secret/app', '1', await version('secret', {}));
    const reply = await compare({ ...here, ...change });
    expect(reply.status).toBe(status);
    const body = await reply.json();
    expect(body.code).toBe(code);
    expect(body.errors).toMatchObject([{ path }]);
  });
});

it('reports of digests that another registry claims are not shown', async () => {
  const { outside } = started;
  const image = await version('claimed', {});
  const { credentials } = outside;
  await pushImage(outside.url, 'lib/claimed', '1', image, { credentials });
  await report(image, { vulnerabilities: [found('CVE-1')] });
  const place = { name: 'out', host: outside.host, use_tls: false, ...credentials };
  const { id } = await json(ann.post('/api/registries', place));
  const { from } = await json(compare({ repository: 'lib/claimed', from: '1', to: '1' }, id));
  expect(from).toMatchObject({ digest: image.digest, report: null, packages: 'missing' });
});
