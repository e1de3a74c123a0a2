/** Lists of packages from stored analyses against those of Trivy's own reports. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createLogger, sealer } from '@portcullis/runtime';
import {
  createScanner,
  type ListedPackage,
  readStoredPackages,
  readStoredParts,
  softwareBill,
} from '@portcullis/scanner';
import { openStore, type Store } from '@portcullis/store';
import {
  alpineFiles,
  buildImage,
  buildIndex,
  createDatabase,
  debianFiles,
  debianImage,
  npmFiles,
  serveVulnerabilityDb,
  startRedis,
  startRegistry,
  type TestImage,
  temporaryDir,
  testTrivy,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const log = createLogger({ name: 'package-lists-test', level: 'silent' });
const parts = new AsyncDisposableStack();
let store: Store;
let scanner: ReturnType<typeof createScanner>;
let dataDir: string;

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
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  const { analyses } = store;
  const redisUrl = server.url;
  scanner = createScanner({ dataDir, redisUrl, analyses, log, trivyPath: () => trivy });
  parts.defer(async () => {
    await scanner.close();
    await store.close();
  });
  await scanner.updateDatabase({ repositories: [await serveVulnerabilityDb(registry.url)] });
});
afterAll(() => parts.disposeAsync());

/** Trivy's own list, from the report of the scan. */
async function scanned(image: TestImage): Promise<string[]> {
  return (await reportsOf(image)).flatMap(packagesOf).sort();
}

async function reportsOf(image: TestImage): Promise<RawList[]> {
  const dir = path.join(dataDir, 'layouts', crypto.randomUUID());
  const reportDir = path.join(dataDir, 'reports', crypto.randomUUID());
  await writeLayout(dir, image);
  const targets = [{ digest: image.digest, platform: null }];
  await scanner.scan(dir, { targets, timeoutSeconds: 120, reportDir });
  const files = (await readdir(reportDir)).filter((name) => name !== 'reports.json');
  const texts = await Promise.all(
    files.map((name) => readFile(path.join(reportDir, name), 'utf8')),
  );
  return texts.map((each) => JSON.parse(each));
}

interface RawList {
  Metadata?: { OS?: { Family: string } };
  Results?: { Class: string; Type: string; Target: string; Packages?: RawPackage[] }[];
}
interface RawPackage {
  Name: string;
  Version: string;
  Release?: string;
  Epoch?: number;
  FilePath?: string;
  Licenses?: string[];
  Layer: { Digest: string };
  Identifier?: { PURL?: string };
}

function packagesOf({ Results = [] }: RawList): string[] {
  return Results.flatMap(({ Class, Type, Target, Packages = [] }) =>
    Packages.map(({ Name, Version, Release, Epoch, FilePath, Licenses = [], Layer }) => {
      const version = `${Epoch ? `${Epoch}:` : ''}${Version}${Release ? `-${Release}` : ''}`;
      const at = Class === 'os-pkgs' ? null : (FilePath ?? Target);
      return JSON.stringify([Type, Name, version, Licenses, at, Layer.Digest]);
    }),
  );
}

async function stored(root: string, digest = root): Promise<string[]> {
  const list = await readStoredPackages(store.analyses, { scanned: [root, digest], digest });
  if ('absent' in list) throw new Error(list.absent);
  return list.packages.map(textOf).sort();
}

const textOf = ({ type, name, version, licenses, path: at, layer }: ListedPackage) =>
  JSON.stringify([type, name, version, licenses, at, layer]);

const DEBIAN = [
  { name: 'openssl', version: '3.0.11-1' },
  { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' },
];
const LODASH = npmFiles([{ name: 'lodash', version: '4.17.10' }]);
const PYTHON = {
  'usr/lib/python3/dist-packages/requests-2.0.dist-info/METADATA':
    'Metadata-Version: 2.1\nName: requests\nVersion: 2.0\nLicense: Apache-2.0\n',
};
const COPYRIGHT = {
  'usr/share/doc/openssl/copyright':
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\nLicense: Apache-2.0\n',
};

const IMAGES: [string, () => Promise<TestImage>][] = [
  [
    'Debian with licences, npm and Python in layers',
    () => debianImage({ packages: DEBIAN, more: [LODASH, PYTHON, COPYRIGHT] }),
  ],
  [
    'a file that a later layer removes',
    () =>
      debianImage({
        packages: DEBIAN,
        more: [LODASH, PYTHON, { 'app/node_modules/lodash/.wh.package.json': '' }],
      }),
  ],
  [
    'a directory that a later layer empties',
    () =>
      debianImage({
        packages: DEBIAN,
        more: [LODASH, PYTHON, { 'app/node_modules/.wh..wh..opq': '' }],
      }),
  ],
  [
    'a directory that a later layer removes',
    () => debianImage({ packages: DEBIAN, more: [LODASH, { '.wh.app': '' }] }),
  ],
  [
    'a later layer with another package database',
    () =>
      debianImage({
        packages: DEBIAN,
        more: [debianFiles([...DEBIAN.slice(1), { name: 'bash', version: '5.2.15-2' }])],
      }),
  ],
  ['Alpine', () => buildImage({ layers: [alpineFiles([{ name: 'musl', version: '1.2.5-r10' }])] })],
];

describe('the stored list of packages is the one of the report, with layers and licences', () => {
  it.each(IMAGES)('%s', async (_, build) => {
    const image = await build();
    const expected = await scanned(image);
    expect(expected.length).toBeGreaterThan(0);
    expect(await stored(image.digest)).toEqual(expected);
  });

  it('of an index, each platform has its own', async () => {
    const image = await buildIndex([
      await debianImage({ packages: DEBIAN, platform: 'linux/amd64' }),
      await debianImage({ packages: DEBIAN.slice(1), platform: 'linux/arm64' }),
    ]);
    await scanned(image);
    const digests = image.children.map(({ digest }) => digest);
    const lists = await Promise.all(digests.map((digest) => stored(image.digest, digest)));
    expect(lists.map((list) => list.length)).toEqual([2, 1]);
  });
});

it.each(IMAGES)(
  'the stated list has the package URLs of Trivy, without the architecture: %s',
  async (_, build) => {
    const image = await build();
    const raw = (await reportsOf(image)).flatMap(({ Results = [] }) =>
      Results.flatMap(({ Packages = [] }) => Packages.map(({ Identifier }) => Identifier?.PURL)),
    );
    const listed = await readStoredParts(store.analyses, image.digest);
    if ('absent' in listed) throw new Error(listed.absent);
    const { components } = softwareBill({
      image: { registry: null, repository: 'team/app', tag: null, digest: image.digest },
      ...{ at: new Date(), scannerVersion: '0', version: '0', parts: listed.parts },
    }) as { components: { purl?: string }[] };
    const withoutArchitecture = (purl?: string) =>
      purl?.replace(/arch=[^&]*&?/, '').replace(/[?&]$/, '');
    expect(components.map(({ purl }) => purl).sort()).toEqual(raw.map(withoutArchitecture).sort());
  },
);

it('an image that was not scanned has no list', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(await readStoredPackages(store.analyses, { scanned: [digest], digest })).toEqual({
    absent: 'missing',
  });
});
