/** What the scanner warns of during a re-match alone, with the real Trivy, Redis and PostgreSQL. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import { createLogger, sealer } from '@portcullis/runtime';
import { createScanner, type Scanner } from '@portcullis/scanner';
import { openStore } from '@portcullis/store';
import {
  buildImage,
  createDatabase,
  debianFiles,
  npmFiles,
  serveVulnerabilityDb,
  startRedis,
  startRegistry,
  type TestImage,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const EARLIER = 'packages/scanner/fixture-db/db-earlier/trivy.db';
const log = createLogger({ name: 'rematch-warnings', level: 'silent' });
const parts = new AsyncDisposableStack();
let scanner: Scanner;
let dataDir: string;
let registryUrl: string;

beforeAll(async () => {
  const trivy = await testTrivy();
  const [registry, server, database, data] = await Promise.all([
    startRegistry(),
    startRedis(),
    createDatabase(),
    temporaryDir(),
  ]);
  for (const part of [data, database, server, registry]) parts.use(part);
  dataDir = data.path;
  registryUrl = registry.url;
  const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  const { analyses } = store;
  const redisUrl = server.url;
  scanner = createScanner({ dataDir, redisUrl, analyses, log, trivyPath: () => trivy });
  parts.defer(async () => {
    await scanner.close();
    await store.close();
  });
});
afterAll(() => parts.disposeAsync());

async function verdict(image: TestImage) {
  const dir = path.join(dataDir, 'layouts', crypto.randomUUID());
  await writeLayout(dir, image);
  const targets = [{ digest: image.digest, platform: null }];
  const { report } = await scanner.scan(dir, { targets, timeoutSeconds: 120 });
  return judge(report, DEFAULT_POLICY, { vulnScanEnabled: null, vulnSeverities: null }).verdict;
}

async function rematch({ digest }: TestImage) {
  await using matcher = await scanner.startMatcher();
  return (await matcher.match(digest))?.report ?? null;
}

it('an advisory that is new and cannot be compared with the version leads to a scan, and not to clean', async () => {
  const earlier = (await readFile(EARLIER)).toString('latin1').replaceAll('lodash', 'lodasx');
  const content = Buffer.from(earlier, 'latin1');
  const metadata = { NextUpdate: new Date(0).toISOString() };
  await scanner.updateDatabase({
    repositories: [await serveVulnerabilityDb(registryUrl, { content, metadata })],
  });
  const image = await buildImage({ layers: [npmFiles([{ name: 'lodash', version: 'banana' }])] });
  expect(await verdict(image)).toBe('clean');
  await scanner.updateDatabase({ repositories: [await serveVulnerabilityDb(registryUrl)] });
  expect(await rematch(image)).toBeNull();
  expect(await verdict(image)).toBe('unscannable');
  // The scan has heard the warning, which is kept for the re-matches after it.
  expect(await rematch(image)).toMatchObject({ gaps: [{ kind: 'scanner_warning' }] });
});

it('what the scan missed in the layers is kept for the re-matches after it', async () => {
  const files = {
    ...debianFiles([{ name: 'tzdata', version: '2024a-0' }]),
    'etc/os-release': 'ID=devuan\n',
    'app/a-1.0.egg': 'PK\u0003\u0004',
    'app/vendor/composer/installed.json': '[{"name":"a/a","version":"1"}]',
  };
  const image = await buildImage({ layers: [files] });
  expect(await verdict(image)).toBe('unscannable');
  expect((await rematch(image))?.gaps).toMatchObject([
    { kind: 'files_unread', packageType: 'python-egg', paths: ['app/a-1.0.egg'] },
    { kind: 'files_unread', packageType: 'composer-vendor' },
    { kind: 'os_derived', os: 'devuan', judgedAs: 'debian' },
  ]);
});
