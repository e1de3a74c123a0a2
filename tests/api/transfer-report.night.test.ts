/**
 * The report of a transfer of the real product: of pushed, blocked, failed and cancelled images, in
 * each format, valid by the official schemas.
 */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import path from 'node:path';
import { TransferReport } from '@portcullis/contract';
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, type Call, logIn, type Product, startProduct, until } from '../support/product.ts';
import { junitFaults } from './report-schemas/junit-faults.ts';
import { type SchemaFormat, schemaFaults } from './report-schemas/validate.ts';

const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];
const FLAWED = [...CLEAN, { name: 'openssl', version: '3.0.11-1' }];
const CRITICAL = 'CVE-2099-0001';
const SLOW = 'acme/slow';
const FORMATS = ['json', 'junit', 'sarif', 'cyclonedx', 'spdx'];

interface Component {
  'bom-ref': string;
  name: string;
  properties: { name: string; value: string }[];
}
interface Relationship {
  relationshipType: string;
  relatedSpdxElement: string;
}

let upstream: TestRegistry;
let source: Server;
let host: string;
let dir: TemporaryDir;
let product: Product;
let admin: Call;
let bob: Call;
let clean: TestImage;
let flawed: TestImage;
let transfer: string;
let jobs: Map<string, string>;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  clean = await debianImage({ packages: CLEAN });
  flawed = await debianImage({ packages: FLAWED });
  await pushImage(upstream.url, 'acme/clean', '1.0', clean);
  await pushImage(upstream.url, 'acme/flawed', '1.0', flawed);
  source = await registryThatHolds(SLOW);
  host = `127.0.0.1:${portOf(source)}`;
  dir = await temporaryDir();
  product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: 'a long enough password',
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: `${host},${upstream.host}`,
  });
  admin = await logIn(product, 'admin', 'a long enough password');
  const account = { username: 'bob', password: 'another long password' };
  expect((await admin('POST', '/api/auth/users', account)).status).toBe(201);
  bob = await logIn(product, account.username, account.password);
  expect((await admin('POST', '/api/folders', { name: 'team' })).status).toBe(201);
  await transferAll();
});

afterAll(async () => {
  await product?.stop();
  source?.close();
  source?.closeAllConnections();
  await upstream?.stop();
  await dir?.remove();
});

/** Passes requests on to the registry, and never answers those for one repository. */
async function registryThatHolds(held: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (url.startsWith(`/v2/${held}/`)) return;
    const passed = request(`${upstream.url}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function transferAll(): Promise<void> {
  const saved = await admin('POST', '/api/registries', { name: 'source', host, use_tls: false });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  const images = ['acme/clean', 'acme/flawed', 'acme/missing', SLOW].map((repository) => ({
    repository,
    tag: '1.0',
  }));
  const body = {
    ...{ source_registry_id: saved.body.id, dest_folder: 'team', images },
    // An administrator may push blocked images.
    bypass_gate: false,
  };
  const made = await admin('POST', '/api/transfer', body);
  expect(made.status, JSON.stringify(made.body)).toBe(202);
  transfer = made.body.transfer_id;
  const shown = await admin('GET', `/api/transfer/jobs/${transfer}`);
  jobs = new Map(
    shown.body.jobs.map(({ image, job_id }: { image: string; job_id: string }) => [image, job_id]),
  );
  const slow = `/api/staging/jobs/${jobs.get(SLOW)}`;
  await until(async () => (await bodyOf(admin('GET', slow))).status === 'pulling');
  expect((await admin('POST', `${slow}/cancel`)).status).toBe(202);
  await until(async () => {
    const body = await bodyOf(admin('GET', `/api/transfer/jobs/${transfer}?wait=30`));
    return body.status !== 'running';
  });
}

const reportOf = (format: string, call = admin) =>
  call('GET', `/api/transfer/jobs/${transfer}/report?format=${format}`);

const nameOf = (repository: string, { digest }: Pick<TestImage, 'digest'>) =>
  `${host}/${repository}:1.0@${digest}`;

describe('the report of a transfer', () => {
  it('has in JSON the images by outcome, with digests pushed, and why others are blocked', async () => {
    const { status, body, headers } = await reportOf('json');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="transfer-${transfer}.json"`,
    );
    const report = TransferReport.parse(body);
    expect(report).toMatchObject({
      transfer_id: transfer,
      status: 'partly_failed',
      outcomes: { pushed: 1, blocked: 1, failed: 1, cancelled: 1, open: 0 },
      pushed: [{ image: nameOf('acme/clean', clean), digest: clean.digest }],
      blocked: [
        {
          image: nameOf('acme/flawed', flawed),
          destination: expect.stringMatching(/\/team\/acme\/flawed:1\.0$/),
          code: 'VULN_BLOCKED',
          reason: expect.stringContaining(CRITICAL),
          policy: { id: null, name: expect.any(String) },
          findings: [
            {
              vulnerability: CRITICAL,
              severity: 'CRITICAL',
              package: 'openssl',
              installed_version: '3.0.11-1',
            },
          ],
        },
      ],
      failed: [{ image: `${host}/acme/missing:1.0`, job_id: jobs.get('acme/missing') }],
      cancelled: [{ image: `${host}/${SLOW}:1.0` }],
    });
    expect(report.blocked[0]?.findings[0]?.fixed_version).not.toBeUndefined();
  });

  it('is in JUnit a valid document with one test case for each image', async () => {
    const { status, body, headers } = await reportOf('junit');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(await junitFaults(body)).toEqual([]);
    expect(body).toContain('tests="4" failures="1" errors="1"');
    expect(body.match(/<testcase /g)).toHaveLength(4);
    expect(body).toContain(
      `<testcase name="${nameOf('acme/clean', clean)}" classname="acme/clean"/>`,
    );
    expect(body).toMatch(
      new RegExp(`<failure type="VULN_BLOCKED"[^>]*>[^<]*${CRITICAL} in openssl`),
    );
    expect(body).toMatch(/<error type="[A-Z_]+"/);
    expect(body).toContain('<skipped>The job was cancelled.</skipped>');
  });

  it.each<SchemaFormat>(['sarif', 'cyclonedx', 'spdx'])(
    'is valid by the official schema in %s',
    async (format) => {
      const { status, body } = await reportOf(format);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(schemaFaults(format, body)).toEqual([]);
    },
  );

  it('has in SARIF a run of its own, and one for each scanned image', async () => {
    const [own, ...runs] = (await reportOf('sarif')).body.runs;
    expect(own).toMatchObject({
      automationDetails: { id: expect.stringMatching(`^portcullis/transfer/${host}/.+/$`) },
      results: [
        { ruleId: 'VULN_BLOCKED', properties: { imageName: nameOf('acme/flawed', flawed) } },
      ],
      invocations: [{ executionSuccessful: false }],
    });
    const notes = own.invocations[0].toolExecutionNotifications;
    expect(notes.map(({ properties }: { properties: object }) => properties)).toMatchObject([
      { imageName: `${host}/acme/missing:1.0`, outcome: 'failed' },
      { imageName: `${host}/${SLOW}:1.0`, outcome: 'cancelled' },
    ]);
    expect(
      runs.map(({ properties, results }: { properties: object; results: { ruleId: string }[] }) => [
        properties,
        results.map(({ ruleId }) => ruleId),
      ]),
    ).toMatchObject([
      [{ imageName: nameOf('acme/clean', clean) }, []],
      [{ imageName: nameOf('acme/flawed', flawed) }, [CRITICAL]],
    ]);
  });

  it('has in CycloneDX a container for each image, with the packages that it depends on', async () => {
    const { components, dependencies, vulnerabilities } = (await reportOf('cyclonedx')).body;
    const containers = components.filter(({ type }: { type: string }) => type === 'container');
    expect(
      containers.map(({ name, properties }: Component) => [
        name,
        properties.find((each) => each.name === 'portcullis:outcome')?.value,
      ]),
    ).toEqual([
      [nameOf('acme/clean', clean), 'pushed'],
      [nameOf('acme/flawed', flawed), 'blocked'],
      [`${host}/acme/missing:1.0`, 'failed'],
      [`${host}/${SLOW}:1.0`, 'cancelled'],
    ]);
    const refs = new Set(components.map((each: Component) => each['bom-ref']));
    expect(refs.size).toBe(components.length);
    const root = dependencies.at(-1);
    expect(root.dependsOn).toEqual(containers.map((each: Component) => each['bom-ref']));
    for (const { ref, dependsOn = [] } of dependencies.slice(0, -1))
      for (const each of [ref, ...dependsOn]) expect(refs).toContain(each);
    expect(vulnerabilities).toMatchObject([{ id: CRITICAL }]);
    const [{ ref }] = vulnerabilities[0].affects;
    const affected = components.find((each: Component) => each['bom-ref'] === ref);
    expect(affected).toMatchObject({ name: 'openssl' });
    expect(affected.properties).toContainEqual({
      name: 'portcullis:image',
      value: nameOf('acme/flawed', flawed),
    });
  });

  it('describes in SPDX a package for each image', async () => {
    const { packages, relationships } = (await reportOf('spdx')).body;
    const ids = packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
    expect(new Set(ids).size).toBe(ids.length);
    const described = relationships
      .filter((each: Relationship) => each.relationshipType === 'DESCRIBES')
      .map((each: Relationship) => each.relatedSpdxElement);
    expect(
      packages
        .filter(({ SPDXID }: { SPDXID: string }) => described.includes(SPDXID))
        .map(({ name, comment }: { name: string; comment: string }) => [name, comment]),
    ).toEqual([
      [nameOf('acme/clean', clean), 'Outcome: pushed'],
      [nameOf('acme/flawed', flawed), 'Outcome: blocked (VULN_BLOCKED)'],
      [`${host}/acme/missing:1.0`, expect.stringMatching(/^Outcome: failed \([A-Z_]+\)$/)],
      [`${host}/${SLOW}:1.0`, 'Outcome: cancelled'],
    ]);
    for (const { spdxElementId, relatedSpdxElement } of relationships)
      for (const id of [spdxElementId, relatedSpdxElement])
        expect([...ids, 'SPDXRef-DOCUMENT', 'NONE', 'NOASSERTION']).toContain(id);
  });

  it.each(FORMATS)('does not exist for another account in %s', async (format) => {
    const { status, body } = await reportOf(format, bob);
    expect([status, body.code]).toEqual([404, 'TRANSFER_UNKNOWN']);
  });
});

describe('the JUnit report of a job', () => {
  it.each([
    ['acme/clean', 'failures="0" errors="0"'],
    ['acme/flawed', 'failures="1" errors="0"'],
    ['acme/missing', 'failures="0" errors="1"'],
  ])('of %s is valid and counts %s', async (repository, counts) => {
    const route = `/api/staging/jobs/${jobs.get(repository)}/report?format=junit`;
    const { status, body } = await admin('GET', route);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await junitFaults(body)).toEqual([]);
    expect(body).toContain(`tests="1" ${counts}`);
  });
});
