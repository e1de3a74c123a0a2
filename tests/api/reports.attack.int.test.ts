/**
 * Exported reports of the real product: for all platforms, under the image's name, valid by the
 * official schemas.
 */
import path from 'node:path';
import {
  buildIndex,
  debianImage,
  npmFiles,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bodyOf,
  type Call,
  logIn,
  type Product,
  settled,
  startProduct,
} from '../support/product.ts';
import { type SchemaFormat, schemaFaults } from './report-schemas/validate.ts';

const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];
const FLAWED = [...CLEAN, { name: 'openssl', version: '3.0.11-1' }];
const CRITICAL = 'CVE-2099-0001';
const SCHEMAS: SchemaFormat[] = ['sarif', 'cyclonedx', 'spdx'];
const FORMATS = [...SCHEMAS, 'json'] as const;
type Format = (typeof FORMATS)[number];

let upstream: TestRegistry;
let dir: TemporaryDir;
let product: Product;
let admin: Call;
let clean: TestImage;
let flawed: TestImage;
let index: TestImage;
const jobs: Record<string, string> = {};

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  clean = await debianImage({
    packages: CLEAN,
    more: [npmFiles([{ name: 'lodash', version: '4.17.10' }])],
  });
  const npm = npmFiles([{ name: 'lodash', version: '4.17.10' }]);
  flawed = await debianImage({ packages: FLAWED, more: [npm], platform: 'linux/arm64' });
  index = buildIndex([clean, flawed]);
  await pushImage(upstream.url, 'acme/tools/two', '1.0', index);
  await pushImage(upstream.url, 'acme/one', '1.0', flawed);
  dir = await temporaryDir();
  product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: 'a long enough password',
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
  });
  admin = await logIn(product, 'admin', 'a long enough password');
  for (const image of ['acme/tools/two', 'acme/one']) {
    const body = { image, tag: '1.0', source_registry_host: upstream.host };
    const { job_id } = await bodyOf(admin('POST', '/api/staging/pull', body));
    expect(await settled(admin, job_id)).toMatchObject({ status: 'staged', verdict: 'blocked' });
    jobs[image] = job_id;
  }
});

afterAll(async () => {
  await product?.stop();
  await upstream?.stop();
  await dir?.remove();
});

async function reportOf(image: string, format: Format, platform?: string) {
  const query = platform ? `&platform=${encodeURIComponent(platform)}` : '';
  return admin('GET', `/api/staging/jobs/${jobs[image]}/report?format=${format}${query}`);
}

/**
 * The vulnerabilities with their locations, and how often a package occurs, as a reader of the
 * format finds them.
 */
const READ: Record<Format, (document: never) => { found: string[]; lodash: number }> = {
  sarif: ({ runs }: { runs: Sarif[] }) => ({
    found: runs.flatMap(({ properties, results }) =>
      results.map(({ ruleId }) => `${properties.platform} ${ruleId}`),
    ),
    lodash: runs.length,
  }),
  cyclonedx: ({ components, vulnerabilities }: CycloneDx) => ({
    found: vulnerabilities.flatMap(({ id, affects }) =>
      affects.map(({ ref }) => `${ref.split('#')[0]} ${id}`),
    ),
    lodash: components.filter(({ name }) => name === 'lodash').length,
  }),
  spdx: ({ packages }: Spdx) => ({
    found: packages.flatMap(({ SPDXID, externalRefs = [] }) =>
      externalRefs
        .filter(({ referenceType }) => referenceType === 'advisory')
        .map(
          ({ referenceLocator }) =>
            `${SPDXID.split('-').slice(1, 3).join('/')} ${cveIn(referenceLocator)}`,
        ),
    ),
    lodash: packages.filter(({ name }) => name === 'lodash').length,
  }),
  json: ({ platforms }: Envelope) => ({
    found: platforms.flatMap(({ platform, report }) =>
      report.Results.flatMap(({ Vulnerabilities = [] }) =>
        Vulnerabilities.map(({ VulnerabilityID }) => `${platform} ${VulnerabilityID}`),
      ),
    ),
    lodash: platforms
      .flatMap(({ report }) => report.Results.flatMap(({ Packages = [] }) => Packages))
      .filter(({ Name }) => Name === 'lodash').length,
  }),
};

interface Sarif {
  automationDetails: { id: string };
  properties: { platform: string; imageName: string };
  results: {
    ruleId: string;
    locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
  }[];
}
interface CycloneDx {
  components: { name: string }[];
  vulnerabilities: { id: string; affects: { ref: string }[] }[];
}
interface Spdx {
  packages: {
    SPDXID: string;
    name: string;
    externalRefs?: { referenceType: string; referenceLocator: string }[];
  }[];
}
interface Envelope {
  platforms: {
    platform: string;
    digest: string;
    report: {
      Results: { Vulnerabilities?: { VulnerabilityID: string }[]; Packages?: { Name: string }[] }[];
    };
  }[];
}

function cveIn(url: string): string {
  return /cve-\d+-\d+/i.exec(url)?.[0].toUpperCase() ?? '';
}

const nameOf = (image: string, digest: string) => `${upstream.host}/${image}:1.0@${digest}`;

describe('S7, C1: an index whose first platform is clean and whose second has a CRITICAL', () => {
  it.each(FORMATS)(
    'has the finding, with its platform, and the packages of both in %s',
    async (format) => {
      const { status, body } = await reportOf('acme/tools/two', format);
      expect(status, JSON.stringify(body)).toBe(200);
      const { found, lodash } = READ[format](body as never);
      expect(lodash).toBe(2);
      expect(found.toSorted()).toEqual(
        [
          'linux/amd64 CVE-2099-0003',
          `linux/arm64 ${CRITICAL}`,
          'linux/arm64 CVE-2099-0003',
        ].toSorted(),
      );
    },
  );

  it.each(SCHEMAS)(
    'is valid by the official schema in %s, of all platforms and of one',
    async (format) => {
      expect(schemaFaults(format, (await reportOf('acme/tools/two', format)).body)).toEqual([]);
      expect(
        schemaFaults(format, (await reportOf('acme/tools/two', format, 'linux/arm64')).body),
      ).toEqual([]);
    },
  );

  it('has a SARIF run for each platform, with its category', async () => {
    const { runs }: { runs: Sarif[] } = (await reportOf('acme/tools/two', 'sarif')).body;
    const category = `portcullis/${upstream.host}/acme/tools/two:1.0`;
    expect(runs.map(({ automationDetails }) => automationDetails.id)).toEqual([
      `${category}/linux/amd64/`,
      `${category}/linux/arm64/`,
    ]);
  });

  it('describes an SPDX package for each platform', async () => {
    const { relationships } = (await reportOf('acme/tools/two', 'spdx')).body;
    const described = relationships.filter(
      ({ relationshipType }: { relationshipType: string }) => relationshipType === 'DESCRIBES',
    );
    expect(described).toHaveLength(2);
  });

  it.each(FORMATS)('gives one platform alone in %s', async (format) => {
    const amd64 = JSON.stringify((await reportOf('acme/tools/two', format, 'linux/amd64')).body);
    expect(amd64).toMatch(/CVE-2099-0003/i);
    expect(amd64).not.toMatch(new RegExp(CRITICAL, 'i'));
    const arm64 = JSON.stringify((await reportOf('acme/tools/two', format, 'linux/arm64')).body);
    expect(arm64).toMatch(new RegExp(CRITICAL, 'i'));
  });

  it('has no report of an unknown platform, and the error names the known ones', async () => {
    const { status, body } = await reportOf('acme/tools/two', 'sarif', 'linux/s390x');
    expect([status, body.code]).toEqual([422, 'PLATFORM_UNKNOWN']);
    expect(body.detail).toContain('linux/amd64, linux/arm64');
    const listed = await admin(
      'GET',
      `/api/staging/jobs/${jobs['acme/tools/two']}/report/platforms`,
    );
    expect(listed.body).toEqual([
      { platform: 'linux/amd64', digest: clean.digest },
      { platform: 'linux/arm64', digest: flawed.digest },
    ]);
  });
});

describe('C2: every report names the pulled image', () => {
  it('by registry, repository, tag and digest, of all platforms', async () => {
    const name = nameOf('acme/tools/two', index.digest);
    const all = async (format: Format) => (await reportOf('acme/tools/two', format)).body;
    expect((await all('sarif')).runs.map((run: Sarif) => run.properties.imageName)).toEqual([
      name,
      name,
    ]);
    expect((await all('cyclonedx')).metadata.component).toMatchObject({ name });
    expect(await all('spdx')).toMatchObject({ name });
    const { image, platforms } = await all('json');
    expect(image).toBe(name);
    for (const { digest, report } of platforms) {
      const repository = `${upstream.host}/acme/tools/two`;
      expect(report).toMatchObject({
        ArtifactName: name,
        Metadata: { RepoDigests: [`${repository}@${digest}`] },
      });
      expect(report.Results[0].Target).toBe(`${name} (debian 12.5)`);
    }
  });

  it.each(FORMATS)(
    'of a single platform, in %s, in a plain document of the format',
    async (format) => {
      const { status, body } = await reportOf('acme/one', format);
      expect(status, JSON.stringify(body)).toBe(200);
      if (format !== 'json') expect(schemaFaults(format, body)).toEqual([]);
      const name = nameOf('acme/one', flawed.digest);
      const config = flawed.blobs[0]?.descriptor.digest;
      const metadata = { ImageID: config, RepoTags: [`${upstream.host}/acme/one:1.0`] };
      const expected = {
        sarif: {
          runs: [{ properties: { imageName: name, imageID: config, platform: 'linux/arm64' } }],
        },
        cyclonedx: { metadata: { component: { name } } },
        spdx: { name },
        json: { ArtifactName: name, Metadata: metadata },
      };
      expect(body).toMatchObject(expected[format]);
      expect(JSON.stringify(body)).not.toMatch(/image@sha256|library\/image/);
    },
  );

  it('locates findings of the operating system in the repository', async () => {
    const { runs }: { runs: Sarif[] } = (await reportOf('acme/one', 'sarif')).body;
    const locations = runs.flatMap(({ results }) =>
      results.map((each) => each.locations[0]?.physicalLocation.artifactLocation.uri),
    );
    expect(locations).toEqual(['acme/one', 'app/node_modules/lodash/package.json']);
  });
});
