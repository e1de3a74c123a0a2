import { DEFAULT_POLICY } from '@portcullis/domain';
import { conflict, unavailable } from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import type { DatabaseState, JavaUpdateOptions, UpdateOptions } from '@portcullis/scanner';
import { describe, expect, it } from 'vitest';
import { createScannerService, type ScannerServicePorts } from './scanner-service.ts';

const DATABASE: DatabaseState = {
  id: '1',
  updatedAt: '2026-11-21T00:00:00Z',
  nextUpdate: '2026-11-22T00:00:00Z',
  downloadedAt: '2026-11-21T00:00:00Z',
  ageSeconds: 1,
  source: null,
  javaUpdatedAt: null,
  javaNextUpdate: null,
  javaDownloadedAt: null,
};

interface Situation {
  binary?: 'acquiring' | 'building' | 'ready' | 'unavailable';
  database?: DatabaseState | null;
  scanEnabled?: boolean;
  trivyEnabled?: boolean;
  proxy?: string;
  repository?: string;
  javaEnabled?: boolean;
  javaRepository?: string;
  registry?: string;
  download?: () => Promise<DatabaseState>;
}

function serviceIn(situation: Situation) {
  const { binary = 'ready', scanEnabled = true, trivyEnabled = true } = situation;
  let database = situation.database ?? null;
  const downloads: UpdateOptions[] = [];
  const javaDownloads: JavaUpdateOptions[] = [];
  const recalled: string[] = [];
  const scanner: ScannerServicePorts['scanner'] = {
    state: async () => ({
      binary,
      version: null,
      message: `it is ${binary}`,
      database,
      databaseFailure: null,
      javaDownload: null,
      available: binary === 'ready' && database !== null,
    }),
    database: async () => database,
    follow: async () => null,
    expect: () => undefined,
    async updateDatabase(options) {
      downloads.push(options);
      database = (await situation.download?.()) ?? DATABASE;
      return { updated: true, database };
    },
    isJavaIndexDue: async () => database?.javaUpdatedAt === null,
    async updateJavaIndex(options) {
      javaDownloads.push(options);
      return database;
    },
    findStoredScan: async (digest, dir) => {
      recalled.push(`${digest} ${dir}`);
      return null;
    },
    hasStoredScan: async () => false,
    chunkDigestsOfLayer: async () => null,
    clearLeftovers: async () => 0,
    removeStoredScans: async () => undefined,
    scan: () => Promise.reject(unavailable('NOT_HERE', 'no scans in this test')),
    rematchProfile: async () => null,
    startMatcher: () => Promise.reject(new Error('unused')),
    exportReport: () => Promise.reject(unavailable('NOT_HERE', 'no reports in this test')),
  };
  const scannerService = createScannerService({
    config: {
      TRIVY_ENABLED: trivyEnabled,
      TRIVY_DB_REPOSITORY: situation.repository,
      TRIVY_JAVA_DB_ENABLED: situation.javaEnabled ?? true,
      TRIVY_JAVA_DB_REPOSITORY: situation.javaRepository,
      REGISTRY_URL: situation.registry ?? 'http://registry:5000',
    },
    proxy: () => ({ http_proxy: null, https_proxy: situation.proxy ?? null, no_proxy: null }),
    scanner,
    disk: { layoutDir: (id) => id },
    policy: async () => ({ ...DEFAULT_POLICY, scanEnabled }),
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  return {
    ...scannerService,
    downloads: () => downloads.length,
    options: () => downloads,
    askedForJava: () => javaDownloads,
    recalled: () => recalled,
  };
}

it('reports of an earlier scan of the same digest are linked to this job’s directory', async () => {
  const scannerService = serviceIn({ database: DATABASE });
  const digest = `sha256:${'a'.repeat(64)}`;
  await scannerService.recall({ jobId: 'job-1', digest });
  expect(scannerService.recalled()).toEqual([`${digest} job-1/reports`]);
});

describe('scan jobs are consumed', () => {
  const offline = () => Promise.reject(unavailable('DATABASE_DOWNLOAD_FAILED', 'offline'));
  const elsewhere = () =>
    Promise.reject(conflict('DATABASE_UPDATE_RUNNING', 'another process is at it'));
  it.each<[string, Situation, boolean]>([
    ['not while the scanner is being set up', { binary: 'acquiring' }, false],
    ['not while the scanner is being built', { binary: 'building' }, false],
    ['when there will never be a scanner: they fail', { binary: 'unavailable' }, true],
    ['when scanner and database are available', { database: DATABASE }, true],
    ['once the database was downloaded', {}, true],
    ['once its download failed: they fail', { download: offline }, true],
    ['not while another process downloads it', { download: elsewhere }, false],
    [
      'whatever the scanner does, when nothing is scanned',
      { binary: 'acquiring', scanEnabled: false },
      true,
    ],
    [
      'whatever the scanner does, when it is switched off',
      { binary: 'acquiring', trivyEnabled: false },
      true,
    ],
  ])('%s', async (_, situation, expected) =>
    expect(await serviceIn(situation).answerable()).toBe(expected),
  );
});

describe('the database', () => {
  it('that could not be downloaded is not downloaded again at each check whether scans are consumed', async () => {
    const scannerService = serviceIn({
      download: () => Promise.reject(unavailable('DATABASE_DOWNLOAD_FAILED', 'offline')),
    });
    const answers = [
      await scannerService.answerable(),
      await scannerService.answerable(),
      await scannerService.answerable(),
    ];
    expect([answers, scannerService.downloads()]).toEqual([[true, true, true], 1]);
  });

  it('is not downloaded while there is no scanner, or none is wanted', async () => {
    const services = [serviceIn({ binary: 'unavailable' }), serviceIn({ trivyEnabled: false })];
    for (const scannerService of services) await scannerService.update();
    expect(services.map((scannerService) => scannerService.downloads())).toEqual([0, 0]);
  });

  it('is reported as missing, with a message for people', async () => {
    expect(await serviceIn({ binary: 'unavailable' }).missing()).toBe('it is unavailable');
    expect(await serviceIn({ database: DATABASE }).missing()).toBe(null);
  });
});

it('the database is downloaded through the current proxy', async () => {
  const situation: Situation = {};
  const scannerService = serviceIn(situation);
  await scannerService.update();
  situation.proxy = 'http://proxy:3128';
  await scannerService.update();
  expect(scannerService.options().map(({ env }) => env)).toEqual([
    {},
    { HTTPS_PROXY: 'http://proxy:3128' },
  ]);
});

describe('the index of Java archives', () => {
  it.each<[string, Situation, boolean]>([
    ['is due after the first start', { database: DATABASE }, true],
    [
      'is not due where the operator disabled it',
      { database: DATABASE, javaEnabled: false },
      false,
    ],
    ['is not due without a scanner', { database: DATABASE, trivyEnabled: false }, false],
    [
      'is not due while the scanner is being set up',
      { database: DATABASE, binary: 'acquiring' },
      false,
    ],
  ])('S9: %s', async (_, situation, due) => {
    expect(await serviceIn(situation).isJavaIndexDue()).toBe(due);
  });
});

describe('the copy of the database', () => {
  const MIRROR = 'registry:5000/mirror/trivy-db:2';
  it.each<[string, Situation, boolean]>([
    ['in our own registry comes without TLS', { repository: MIRROR }, true],
    ['at another port comes with TLS', { repository: 'registry:5001/mirror/trivy-db:2' }, false],
    ['elsewhere comes with TLS', { repository: 'registry.example.com/trivy-db:2' }, false],
    [
      'in our own registry with TLS comes with TLS',
      { repository: MIRROR, registry: 'https://registry:5000' },
      false,
    ],
  ])('%s', async (_, situation, insecure) => {
    const scannerService = serviceIn(situation);
    await scannerService.update();
    const [{ insecure: isInsecure } = {}] = scannerService.options();
    expect(isInsecure?.(situation.repository ?? '')).toBe(insecure);
  });

  it.each<[string, Situation, unknown]>([
    [
      'our own registry gets its credentials',
      { repository: MIRROR, registry: 'http://inner:a%2Fb@registry:5000' },
      { username: 'inner', password: 'a/b' },
    ],
    ['our own registry without credentials gets none', { repository: MIRROR }, undefined],
    [
      'another registry gets no credentials of ours',
      { repository: 'registry:5001/mirror/trivy-db:2', registry: 'http://inner:pw@registry:5000' },
      undefined,
    ],
  ])('%s', async (_, situation, login) => {
    const scannerService = serviceIn(situation);
    await scannerService.update();
    const [{ credentials } = {}] = scannerService.options();
    expect(credentials?.(situation.repository ?? '')).toEqual(login);
  });

  it.each([
    ['registry.localhost/mirror/trivy-db:2', 'http+unix://inner:pw@%2Fdata%2Fregistry.sock', true],
    ['registry.example.com/trivy-db:2', 'http+unix://inner:pw@%2Fdata%2Fregistry.sock', false],
    ['registry:5000/mirror/trivy-db:2', 'http://inner:pw@registry:5000', false],
  ])('at %s with our registry at %s is relayed: %s', async (repository, registry, relayed) => {
    const scannerService = serviceIn({ repository, registry });
    await scannerService.update();
    const [{ relay } = {}] = scannerService.options();
    await using relaying = (await relay?.(repository)) ?? null;
    expect(relaying?.repository).toEqual(
      relayed ? expect.stringMatching(/^127\.0\.0\.1:\d+\/mirror\/trivy-db:2$/) : undefined,
    );
  });

  it('without a configured repository is the publisher’s, and so is the index of Java archives', async () => {
    const scannerService = serviceIn({});
    await scannerService.update();
    expect(scannerService.options()[0]).not.toHaveProperty('repositories');
    await scannerService.updateJavaIndex();
    expect(scannerService.askedForJava()[0]).not.toHaveProperty('repositories');
    expect(scannerService.askedForJava()[0]).not.toHaveProperty('javaRepositories');
  });

  it('may have an index of Java archives beside it', async () => {
    const scannerService = serviceIn({
      repository: MIRROR,
      javaRepository: 'registry:5000/mirror/trivy-java-db:1',
    });
    await scannerService.updateJavaIndex();
    expect(scannerService.askedForJava()[0]).toMatchObject({
      repositories: [MIRROR],
      javaRepositories: ['registry:5000/mirror/trivy-java-db:1'],
    });
  });
});
