/**
 * Made-up images and a made-up vulnerability database for the benchmark of re-matches: analyses of
 * layers as Trivy caches them, without the layers.
 */
import { createHash } from 'node:crypto';

const OS_NAMES = 4_000;
const NPM_NAMES = 20_000;
export const DATABASE_PACKAGES = OS_NAMES + NPM_NAMES;
const BASES = 40;
const RELEASE = 'debian 12';
const NPM = 'npm::Benchmark npm';

/** Always the same numbers in [0, 1). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The document that packages/scanner/fixture-db turns into two databases. */
export function advisories(changedPackages: number): object {
  const random = randomNumbers(7);
  const list: object[] = [];
  const vulnerabilities: Record<string, object> = {};
  const add = (bucket: string, name: string, isLater: boolean) => {
    const id = `CVE-2099-${100_000 + list.length}`;
    const isOpen = random() < 0.2;
    const fixed = isOpen ? '2.0' : '0.5';
    const advisory =
      bucket === NPM
        ? { PatchedVersions: [fixed], VulnerableVersions: [`<${fixed}`] }
        : { FixedVersion: fixed };
    list.push({ bucket, package: name, id, advisory, isLater });
    vulnerabilities[id] = detail(id, random);
  };
  for (let n = 0; n < OS_NAMES; n++)
    for (let each = 0; each < 3; each++) add(RELEASE, `os-${n}`, false);
  for (let n = 0; n < NPM_NAMES; n++) add(NPM, `npm-${n}`, false);
  for (let n = 0; n < changedPackages; n++) {
    const at = Math.floor(random() * DATABASE_PACKAGES);
    if (at < OS_NAMES) add(RELEASE, `os-${at}`, true);
    else add(NPM, `npm-${at - OS_NAMES}`, true);
  }
  const dataSources = {
    [RELEASE]: { ID: 'debian', Name: 'Benchmark', URL: 'https://advisories.example/debian' },
    [NPM]: { ID: 'ghsa', Name: 'Benchmark', URL: 'https://advisories.example/npm' },
  };
  return { dataSources, advisories: withCanary(list), vulnerabilities };
}

/** What the updater's canary has to find. */
function withCanary(list: object[]): object[] {
  const canary = { bucket: RELEASE, package: 'openssl', id: 'CVE-2099-1', isLater: false };
  return [...list, { ...canary, advisory: { FixedVersion: '3.0.13-1' } }];
}

function detail(id: string, random: () => number): object {
  const score = Math.round(random() * 100) / 10;
  return {
    Title: `${id}: a flaw of the benchmark`,
    Description: 'An attacker can do what an attacker can do. '.repeat(20),
    VendorSeverity: { nvd: 1 + Math.floor(random() * 4) },
    CVSS: { nvd: { V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', V3Score: score } },
    References: Array.from({ length: 8 }, (_, n) => `https://advisories.example/${id}/${n}`),
    PublishedDate: '2026-01-01T00:00:00Z',
    LastModifiedDate: '2026-01-02T00:00:00Z',
  };
}

interface MadeLayer {
  key: string;
  diffId: string;
  json: string;
}

export interface MadeImage {
  digest: string;
  layers: MadeLayer[];
  packages: number;
}

/** From 150 to 900 packages: one of the bases, and other npm packages. */
export function images(count: number): MadeImage[] {
  const random = randomNumbers(11);
  const bases = Array.from({ length: BASES }, (_, n) =>
    base(n, 100 + Math.floor(random() * 250), random),
  );
  return Array.from({ length: count }, (_, n) => {
    const [layer, own] = bases[Math.floor(random() * BASES)] ?? base(0, 100, random);
    const packages = Math.max(150, own + Math.floor(random() * 550));
    const app = application(n, packages - own, random);
    return { digest: sha(`image ${n}`), layers: [layer, app], packages };
  });
}

/** Common packages are in most images, rare ones in few. */
function pick(names: number, count: number, random: () => number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(Math.floor(names * random() ** 3));
  return [...chosen];
}

function base(n: number, count: number, random: () => number): [MadeLayer, number] {
  const packages = pick(OS_NAMES, count, random).map((at) => ({
    ID: `os-${at}@1.0-1`,
    Name: `os-${at}`,
    Version: '1.0',
    Release: '1',
    Arch: 'amd64',
    SrcName: `os-${at}`,
    SrcVersion: '1.0',
    SrcRelease: '1',
    Licenses: ['GPL-2.0-only'],
    InstalledFiles: [`/usr/bin/os-${at}`, `/usr/share/doc/os-${at}/copyright`],
  }));
  const infos = [{ FilePath: 'var/lib/dpkg/status', Packages: packages }];
  const content = { OS: { Family: 'debian', Name: '12.5' }, PackageInfos: infos };
  return [layer(`base ${n}`, content), count];
}

function application(n: number, count: number, random: () => number): MadeLayer {
  const packages = pick(NPM_NAMES, count, random).map((at) => ({
    ID: `npm-${at}@1.0.0`,
    Name: `npm-${at}`,
    Version: '1.0.0',
    Licenses: ['MIT'],
    FilePath: `app/node_modules/npm-${at}/package.json`,
  }));
  return layer(`app ${n}`, { Applications: [{ Type: 'node-pkg', Packages: packages }] });
}

function layer(name: string, content: object): MadeLayer {
  const diffId = sha(name);
  const json = JSON.stringify({ SchemaVersion: 2, DiffID: diffId, ...content });
  return { key: `fanal::blob::${sha(`key ${name}`)}`, diffId, json };
}

export function sha(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
