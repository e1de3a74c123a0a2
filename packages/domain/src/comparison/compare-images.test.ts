import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Vulnerability, VulnerablePackage } from '../policy/vulnerability.ts';
import { type ComparableImage, compareImages } from './compare-images.ts';
import { compareConfigurations } from './configuration.ts';
import { compareFindings, findingsOnPlatform } from './findings.ts';
import { compareLayers } from './layers.ts';
import { comparePackages, type PackageVersion } from './packages.ts';

/** All steps at once. */
function compared(from: readonly PackageVersion[], to: readonly PackageVersion[]) {
  const steps = comparePackages(from, to);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const installed = (...names: string[]): PackageVersion[] =>
  names.map((each) => {
    const [name = '', version = ''] = each.split(' ');
    return { type: 'debian', name, version };
  });

describe('packages', () => {
  it.each([
    ['a package that only the second image has was added', [], ['bash 1'], ['added null 1']],
    ['a package that only the first image has was removed', ['bash 1'], [], ['removed 1 null']],
    ['a newer version is an upgrade', ['bash 1.9'], ['bash 1.10'], ['upgraded 1.9 1.10']],
    ['an older version is a downgrade', ['bash 1:1'], ['bash 2'], ['downgraded 1:1 2']],
    ['an equal version is no change', ['bash 1'], ['bash 1'], []],
    [
      'of several versions the equal ones are no change',
      ['a 1', 'a 2'],
      ['a 2', 'a 3'],
      ['upgraded 1 3'],
    ],
    [
      'the newest versions belong together',
      ['a 1'],
      ['a 1.5', 'a 2'],
      ['upgraded 1 2', 'added null 1.5'],
    ],
    ['a version that occurs twice counts once', ['a 1', 'a 1'], ['a 2'], ['upgraded 1 2']],
  ])('%s', (_, from, to, expected) => {
    const { changes } = compared(installed(...from), installed(...to));
    expect(changes.map(({ kind, from, to }) => `${kind} ${from} ${to}`)).toEqual(expected);
  });

  it('packages of different kinds are different packages', () => {
    const [from, to] = [installed('zlib 1'), [{ type: 'alpine', name: 'zlib', version: '1' }]];
    const { changes, unchanged } = compared(from, to);
    expect(changes.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
      'added alpine',
      'removed debian',
    ]);
    expect(unchanged).toBe(0);
  });

  it.each([
    ['of as many names', (at: number) => `n${at} 1`],
    ['of one name in as many versions', (at: number) => `a 1.${at}`],
  ])('many packages %s are compared in steps', (_, packageAt) => {
    const many = Array.from({ length: 5_000 }, (_, at) => packageAt(at));
    const [from, to] = [installed(...many.slice(0, 2_500)), installed(...many.slice(2_500))];
    const steps = comparePackages(from, to);
    let count = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(many.length / 100);
  });

  const inventory = fc.array(
    fc.record({
      type: fc.constantFrom('debian', 'npm'),
      name: fc.constantFrom('a', 'b', 'c'),
      version: fc.constantFrom('1', '1.2', '2', '10', '1:0'),
    }),
  );
  const keys = (packages: readonly PackageVersion[]) =>
    new Set(packages.map(({ type, name, version }) => `${type} ${name} ${version}`));

  it('an image equals itself', () => {
    fc.assert(
      fc.property(inventory, (packages) => {
        const same = { changes: [], unchanged: keys(packages).size };
        expect(compared(packages, packages)).toEqual(same);
      }),
    );
  });

  it('the changes turn the first image into the second one', () => {
    fc.assert(
      fc.property(inventory, inventory, (from, to) => {
        const { changes, unchanged } = compared(from, to);
        const result = keys(from);
        for (const { type, name, ...change } of changes) {
          if (change.from !== null)
            expect(result.delete(`${type} ${name} ${change.from}`)).toBe(true);
          if (change.to !== null) result.add(`${type} ${name} ${change.to}`);
        }
        expect(result).toEqual(keys(to));
        expect(unchanged).toBe([...keys(from)].filter((each) => keys(to).has(each)).length);
      }),
    );
  });

  it('the other way round everything is the opposite', () => {
    const opposite = {
      added: 'removed',
      removed: 'added',
      upgraded: 'downgraded',
      downgraded: 'upgraded',
    } as const;
    fc.assert(
      fc.property(inventory, inventory, (from, to) => {
        const turned = compared(to, from).changes.map((each) => ({
          ...each,
          kind: opposite[each.kind],
          from: each.to,
          to: each.from,
        }));
        const { changes } = compared(from, to);
        expect(new Set(turned.map((each) => JSON.stringify(each)))).toEqual(
          new Set(changes.map((each) => JSON.stringify(each))),
        );
      }),
    );
  });
});

const affected = (name: string, more: Partial<VulnerablePackage> = {}): VulnerablePackage => ({
  name,
  installedVersion: '1',
  fixedVersion: null,
  status: 'affected',
  target: '',
  path: null,
  purl: null,
  layerDigest: null,
  platform: null,
  ...more,
});

const found = (
  id: string,
  severity: Vulnerability['severity'] = 'HIGH',
  packages = [affected('bash')],
): Vulnerability => ({
  id,
  severity,
  title: null,
  cvssScore: null,
  cvssVector: null,
  cvssSource: null,
  primaryUrl: null,
  publishedAt: null,
  packages,
});

describe('findings', () => {
  it('a vulnerability is new, fixed or the same, and the worst come first', () => {
    const { changes, counts } = compareFindings(
      [found('CVE-1', 'LOW'), found('CVE-2')],
      [found('CVE-2'), found('CVE-3', 'CRITICAL')],
    );
    expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'new CVE-3',
      'same CVE-2',
      'fixed CVE-1',
    ]);
    expect(counts.new).toEqual({ CRITICAL: 1, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 });
    expect(counts.fixed.LOW).toBe(1);
    expect(counts.same.HIGH).toBe(1);
  });

  it('a vulnerability that moved to another package is the same', () => {
    const { changes } = compareFindings(
      [found('CVE-1', 'HIGH', [affected('libssl', { fixedVersion: '2' })])],
      [found('CVE-1', 'LOW', [affected('openssl', { installedVersion: '3' })])],
    );
    expect(changes).toEqual([
      {
        kind: 'same',
        id: 'CVE-1',
        severity: 'LOW',
        title: null,
        packages: [
          { name: 'libssl', from: ['1'], to: [], fixedVersion: '2' },
          { name: 'openssl', from: [], to: ['3'], fixedVersion: null },
        ],
      },
    ]);
  });

  it('the counts are those of the two reports', () => {
    const report = fc.uniqueArray(fc.constantFrom('CVE-1', 'CVE-2', 'CVE-3', 'CVE-4'));
    fc.assert(
      fc.property(report, report, (from, to) => {
        const { counts } = compareFindings(
          from.map((id) => found(id)),
          to.map((id) => found(id)),
        );
        expect(counts.fixed.HIGH + counts.same.HIGH).toBe(from.length);
        expect(counts.new.HIGH + counts.same.HIGH).toBe(to.length);
      }),
    );
  });

  it('of an index, only the findings on the platform count, with their own severity', () => {
    const here = affected('bash', { platform: 'linux/amd64', severity: 'LOW' });
    const there = affected('bash', { platform: 'linux/arm64', severity: 'HIGH' });
    const report = [found('CVE-1', 'HIGH', [here, there]), found('CVE-2', 'HIGH', [there])];
    expect(findingsOnPlatform(report, 'linux/amd64')).toEqual([found('CVE-1', 'LOW', [here])]);
  });
});

const layer = (digest: string) => ({ digest, size: 1, createdBy: null });

it('a layer is shared, or of one image alone', () => {
  const { shared, from, to } = compareLayers(
    ['a', 'b', 'b', 'c'].map(layer),
    ['a', 'd', 'c'].map(layer),
  );
  expect([shared, from, to].map((layers) => layers.map(({ digest }) => digest))).toEqual([
    ['a', 'c'],
    ['b'],
    ['d'],
  ]);
});

const PLAIN = {
  env: [],
  labels: {},
  exposedPorts: [],
  entrypoint: [],
  cmd: [],
  user: null,
  workingDir: null,
};

describe('the configuration', () => {
  it.each([
    ['a variable was added', { env: ['A=1'] }, 'env A null 1', 'env A 1 null'],
    [
      'the value of a variable may contain =',
      { env: ['A=b=c'] },
      'env A null b=c',
      'env A b=c null',
    ],
    [
      'of a variable that is set twice, the last one applies',
      { env: ['A=1', 'A=2'] },
      'env A null 2',
      'env A 2 null',
    ],
    ['a label was added', { labels: { team: 'a' } }, 'label team null a', 'label team a null'],
    [
      'a port was added',
      { exposedPorts: ['80/tcp'] },
      'exposed_port 80/tcp null 80/tcp',
      'exposed_port 80/tcp 80/tcp null',
    ],
    ['the user changed', { user: 'nobody' }, 'user null null nobody', 'user null nobody null'],
    [
      'the working directory changed',
      { workingDir: '/srv' },
      'working_dir null null /srv',
      'working_dir null /srv null',
    ],
  ])('%s', (_, change, there, back) => {
    const changed = { ...PLAIN, ...change };
    const texts = (from: typeof PLAIN, to: typeof PLAIN) =>
      compareConfigurations(from, to).values.map(
        ({ field, name, from, to }) => `${field} ${name} ${from} ${to}`,
      );
    expect(texts(PLAIN, changed as typeof PLAIN)).toEqual([there]);
    expect(texts(changed as typeof PLAIN, PLAIN)).toEqual([back]);
  });

  it('a command with other arguments, or in another order, is another one', () => {
    const [from, to] = [
      { ...PLAIN, entrypoint: ['sh', '-c'], cmd: ['run'] },
      { ...PLAIN, entrypoint: ['-c', 'sh'], cmd: ['run'] },
    ];
    expect(compareConfigurations(from, to)).toEqual({
      values: [],
      commands: [{ field: 'entrypoint', from: ['sh', '-c'], to: ['-c', 'sh'] }],
    });
  });
});

describe('two images', () => {
  const image: ComparableImage = {
    size: 100,
    layers: [layer('a')],
    configuration: PLAIN,
    packages: installed('bash 1'),
    vulnerabilities: [found('CVE-1')],
  };

  it('without a report or a list of packages are not said to be the same', async () => {
    const unknown = { ...image, size: 60, packages: null, vulnerabilities: null };
    for (const [from, to, growth] of [
      [image, unknown, -40],
      [unknown, image, 40],
    ] as const)
      expect(await compareImages(from, to)).toMatchObject({
        growth,
        packages: null,
        findings: null,
      });
  });

  it('that are one image have no difference', async () => {
    expect(await compareImages(image, image)).toMatchObject({
      growth: 0,
      layers: { from: [], to: [] },
      configuration: { values: [], commands: [] },
      packages: { changes: [], unchanged: 1 },
      findings: { changes: [{ kind: 'same' }] },
    });
  });
});
