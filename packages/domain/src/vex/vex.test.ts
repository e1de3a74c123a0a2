import { describe, expect, it } from 'vitest';
import { daysLater, NOW, waiverFixture } from '../standing/standing.fixture.ts';
import type { VexDocument, VexProduct, VexStatement } from './openvex.ts';
import { imagePackageUrl, packageNameOf, parsePackageUrl } from './package-url.ts';
import { vexOf } from './vex-export.ts';
import { waiversOfVex } from './vex-import.ts';

const HEX = 'a'.repeat(64);
const DIGEST = `sha256:${HEX}`;
const HOSTS = ['gate.example'];
const OWN = imagePackageUrl({ host: 'gate.example', repository: 'team/app', digest: DIGEST });

it.each([
  ['pkg:npm/%40angular/core@1.2', '@angular/core'],
  ['pkg:maven/org.apache/log4j@2', 'org.apache:log4j'],
  ['pkg:golang/github.com/a/b@v1', 'github.com/a/b'],
  ['pkg:deb/debian/openssl@3.0?arch=amd64', 'openssl'],
  ['pkg:pypi/jinja2', 'jinja2'],
])('%s is the package %s', (text, name) => {
  const purl = parsePackageUrl(text);
  expect(purl && packageNameOf(purl)).toBe(name);
});

it.each([
  'openssl',
  'pkg:deb',
  'pkg:/openssl',
  'pkg:oci/app@',
  'pkg:npm/@angular/core',
  'pkg:oci/a%ZZ@1',
  'pkg:oci/a?repository_url=x&repository_url=y',
  `pkg:oci/${'a'.repeat(3_000)}`,
])('%.60s is no package URL', (text) => {
  expect(parsePackageUrl(text)).toBeNull();
});

function statement(change: Partial<VexStatement> = {}): VexStatement {
  return {
    vulnerability: { name: 'CVE-2026-1111' },
    status: 'not_affected',
    justification: 'vulnerable_code_not_present',
    products: [{ '@id': OWN }],
    ...change,
  };
}

function documentOf(...statements: VexStatement[]): VexDocument {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://vendor.example/vex/1',
    author: 'Vendor',
    timestamp: NOW.toISOString(),
    version: 1,
    statements,
  };
}

const imported = (...statements: VexStatement[]) =>
  waiversOfVex(documentOf(...statements), HOSTS) ?? expect.unreachable();

describe('an imported statement', () => {
  it.each<[string, VexProduct, object]>([
    ['our image by digest', { '@id': OWN }, { repository: 'team/app', digest: DIGEST }],
    [
      'an image of another registry by digest',
      { '@id': `pkg:oci/app@sha256%3A${HEX}?repository_url=docker.io/library/app` },
      { repository: null, digest: DIGEST },
    ],
    ['a digest', { '@id': DIGEST }, { repository: null, digest: DIGEST }],
    [
      'a hash',
      { '@id': 'https://x/app', hashes: { 'sha-256': HEX } },
      { repository: null, digest: DIGEST },
    ],
    [
      'our repository',
      { '@id': 'pkg:oci/app?repository_url=gate.example/team/app' },
      { repository: 'team/app', digest: null },
    ],
    [
      'a package of an image',
      { '@id': OWN, subcomponents: [{ '@id': 'pkg:deb/debian/openssl@3.0' }] },
      { package: 'openssl', packageVersion: '3.0', digest: DIGEST },
    ],
    [
      'a package with an epoch',
      { '@id': OWN, subcomponents: [{ '@id': 'pkg:deb/debian/tar@1.34-1?arch=amd64&epoch=2' }] },
      { package: 'tar', packageVersion: '2:1.34-1', digest: DIGEST },
    ],
    [
      'every version of a package',
      { '@id': OWN, subcomponents: [{ '@id': 'pkg:npm/%40angular/core' }] },
      { package: '@angular/core', packageVersion: null },
    ],
  ])('of %s becomes a waiver', (_, product, scope) => {
    const { waivers, skipped } = imported(statement({ products: [product] }));
    expect(skipped).toEqual([]);
    expect(waivers).toMatchObject([{ vulnerability: 'CVE-2026-1111', package: null, ...scope }]);
  });

  it.each<[string, Partial<VexStatement>, string]>([
    ['affected', { status: 'affected', action_statement: 'upgrade' }, 'AFFECTED'],
    ['fixed', { status: 'fixed' }, 'FIXED'],
    ['under investigation', { status: 'under_investigation' }, 'UNDER_INVESTIGATION'],
    ['without a reason', { justification: undefined }, 'REASON_MISSING'],
    ['without products', { products: [] }, 'PRODUCT_MISSING'],
    ['of a strange vulnerability', { vulnerability: { name: '*' } }, 'VULNERABILITY_UNSUPPORTED'],
    ['of an age', { vulnerability: { name: 'TOO_YOUNG' } }, 'VULNERABILITY_UNSUPPORTED'],
  ])('%s is skipped', (_, change, reason) => {
    expect(imported(statement(change))).toEqual({
      waivers: [],
      skipped: [{ statement: 0, reason }],
    });
  });

  it.each<[string, VexProduct]>([
    ['every repository', { '@id': 'pkg:oci/app?repository_url=gate.example/**' }],
    ['a tag', { '@id': 'pkg:oci/app?repository_url=gate.example/team/app&tag=1' }],
    ['another registry', { '@id': 'pkg:oci/app?repository_url=docker.io/library/app' }],
    ['an image by name alone', { '@id': 'pkg:oci/app' }],
    ['a package', { '@id': 'pkg:deb/debian/openssl@3.0' }],
    ['two digests', { '@id': OWN, hashes: { 'sha-256': 'b'.repeat(64) } }],
    ['no digest', { '@id': 'pkg:oci/app@latest?repository_url=gate.example/team/app' }],
    ['a hash that is none', { '@id': DIGEST, hashes: { 'sha-256': '*' } }],
    ['nothing', {}],
  ])('of %s is never widened', (_, product) => {
    expect(imported(statement({ products: [product] }))).toEqual({
      waivers: [],
      skipped: [{ statement: 0, reason: 'PRODUCT_UNSUPPORTED' }],
    });
  });

  it('of a subcomponent that is no package is never widened to the image', () => {
    const products = [{ '@id': OWN, subcomponents: [{ '@id': 'openssl' }] }];
    expect(imported(statement({ products })).skipped).toEqual([
      { statement: 0, reason: 'SUBCOMPONENT_UNSUPPORTED' },
    ]);
  });

  it('has the CVE id among the aliases', () => {
    const vulnerability = { name: 'GHSA-aaaa-bbbb-cccc', aliases: ['CVE-2026-2222'] };
    expect(imported(statement({ vulnerability })).waivers).toMatchObject([
      { vulnerability: 'CVE-2026-2222' },
    ]);
  });
});

it.each([
  [500, true],
  [501, false],
])('ten images with %i packages each are imported: %s', (packages, isImported) => {
  const subcomponents = Array.from({ length: packages }, (_, n) => ({ '@id': `pkg:npm/a${n}` }));
  const products = Array.from({ length: 10 }, (_, n) => ({
    '@id': `sha256:${String(n).padStart(64, '0')}`,
    subcomponents,
  }));
  const read = waiversOfVex(documentOf(statement({ products })), HOSTS);
  expect(read !== null).toBe(isImported);
});

describe('of several statements the latest is effective', () => {
  const at = (days: number) => daysLater(days).toISOString();
  const of = (...names: string[]) => [
    { '@id': OWN, subcomponents: names.map((name) => ({ '@id': `pkg:deb/debian/${name}@1` })) },
  ];
  const versions = (version: string) => [
    { '@id': OWN, subcomponents: [{ '@id': `pkg:deb/debian/a@${version}` }] },
  ];
  const affected = { status: 'affected' as const, justification: undefined };

  it.each<[string, VexStatement[], string[]]>([
    ['affected later', [statement(), statement({ ...affected, timestamp: at(1) })], []],
    ['affected before', [statement({ timestamp: at(1) }), statement(affected)], ['*']],
    ['affected at the same time, below', [statement(), statement(affected)], []],
    [
      'a package affected later',
      [statement(), statement({ ...affected, products: of('zlib'), timestamp: at(1) })],
      [],
    ],
    [
      'another package affected later',
      [statement({ products: of('a', 'b') }), statement({ ...affected, products: of('b') })],
      ['a'],
    ],
    [
      'another version of a package not affected later',
      [
        statement({ products: versions('1') }),
        statement({ products: versions('2'), timestamp: at(1) }),
      ],
      ['a', 'a'],
    ],
    [
      'a version of a package affected later',
      [
        statement({ products: versions('1') }),
        statement({ ...affected, products: versions('2'), timestamp: at(1) }),
      ],
      [],
    ],
    [
      'the whole image affected later',
      [statement({ products: of('a') }), statement({ ...affected, timestamp: at(1) })],
      [],
    ],
    [
      'affected later by digest alone',
      [statement(), statement({ ...affected, products: [{ '@id': DIGEST }] })],
      [],
    ],
  ])('%s', (_, statements, packages) => {
    const { waivers } = imported(...statements);
    expect(waivers.map((waiver) => waiver.package ?? '*')).toEqual(packages);
  });
});

it('what is exported is imported again as it was; only not_affected is', () => {
  const location = { host: 'gate.example', repository: 'team/app', digest: DIGEST };
  const images = [{ location, packageUrls: ['pkg:deb/debian/openssl@3.0.1'] }];
  const waivers = [
    waiverFixture({ status: 'not_affected', justification: 'component_not_present' }),
    waiverFixture({ vulnerability: 'CVE-2026-2', reason: 'later', status: 'fix_planned' }),
    waiverFixture({ vulnerability: 'CVE-2026-3', status: 'accepted' }),
  ];
  const document = vexOf(
    [
      ...waivers.map((waiver) => ({ waiver, images })),
      { waiver: waiverFixture({ vulnerability: 'CVE-2026-4' }), images: [] },
    ],
    { id: 'urn:x', author: 'gate', tooling: 'Portcullis', now: NOW },
  );
  expect(document.statements.map(({ status }) => status)).toEqual([
    'not_affected',
    'affected',
    'affected',
  ]);
  expect(waiversOfVex(document, HOSTS)).toEqual({
    waivers: [
      {
        statement: 0,
        vulnerability: 'CVE-2026-1',
        package: 'openssl',
        packageVersion: '3.0.1',
        repository: 'team/app',
        digest: DIGEST,
        justification: 'component_not_present',
        reason: 'not reachable',
      },
    ],
    skipped: [
      { statement: 1, reason: 'AFFECTED' },
      { statement: 2, reason: 'AFFECTED' },
    ],
  });
});
