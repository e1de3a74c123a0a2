import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePackageVersions } from './package-version.ts';
import { type BlockingPackage, upgradePlan } from './upgrade-plan.ts';

const found = (
  id: string,
  name: string,
  fixedVersion: string | null,
  installedVersion = '1.0',
): BlockingPackage => ({ id, package: name, installedVersion, fixedVersion });

describe('the order of versions', () => {
  it.each([
    ['1.2', '1.10'],
    ['1.0~rc1', '1.0'],
    ['1.0', '1.0-1'],
    ['1.0-1', '1.0-2'],
    ['3.0.11-1~deb12u2', '3.0.15-1~deb12u1'],
    ['9.9', '1:0.1'],
    ['1.0.0-rc.1', '1.0.0'],
    ['v1.9.0', 'v1.10.0'],
    ['1.0a', '1.0+'],
    ['99999999999999999999', '100000000000000000000'],
  ])('%s is older than %s', (one, other) => {
    expect(comparePackageVersions(one, other)).toBeLessThan(0);
    expect(comparePackageVersions(other, one)).toBeGreaterThan(0);
  });

  const version = fc.stringMatching(/^(?:\d:)?[0-9a-c.~+]{1,6}(?:-[0-9.~]{1,3})?$/);
  it('is an order', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const sign = (one: string, other: string) => Math.sign(comparePackageVersions(one, other));
        expect(sign(a, b)).toBe(-sign(b, a) + 0);
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('the plan', () => {
  it('has one upgrade for each package, to the version that clears all of its findings', () => {
    expect(
      upgradePlan([
        found('CVE-1', 'openssl', '1.2'),
        found('CVE-2', 'openssl', '1.10'),
        found('CVE-3', 'zlib', '2.0'),
      ]),
    ).toEqual({
      upgrades: [
        { packages: ['openssl'], installedVersion: '1.0', to: '1.10', clears: ['CVE-1', 'CVE-2'] },
        { packages: ['zlib'], installedVersion: '1.0', to: '2.0', clears: ['CVE-3'] },
      ],
      unfixed: [],
    });
  });

  it('has one upgrade for the packages of one source', () => {
    const { upgrades } = upgradePlan([
      found('CVE-1', 'openssl', '1.2'),
      found('CVE-1', 'libssl3', '1.2'),
      found('CVE-2', 'libssl3', '1.1'),
      found('CVE-3', 'zlib', '1.2', '1.1'),
    ]);
    expect(upgrades).toEqual([
      {
        packages: ['libssl3', 'openssl'],
        installedVersion: '1.0',
        to: '1.2',
        clears: ['CVE-1', 'CVE-2'],
      },
      { packages: ['zlib'], installedVersion: '1.1', to: '1.2', clears: ['CVE-3'] },
    ]);
  });

  it('stays on a branch where that clears everything', () => {
    const { upgrades } = upgradePlan([
      found('CVE-1', 'lib', '1.2.9, 2.0.3', '1.2.3'),
      found('CVE-2', 'lib', '1.2.8, 2.0.1', '1.2.3'),
    ]);
    expect(upgrades).toMatchObject([{ to: '1.2.9' }]);
  });

  it('leaves a branch that has no fix for one of the findings', () => {
    const { upgrades } = upgradePlan([
      found('CVE-1', 'lib', '1.2.9, 2.0.3', '1.2.3'),
      found('CVE-2', 'lib', '2.0.1', '1.2.3'),
    ]);
    expect(upgrades).toMatchObject([{ to: '2.0.3' }]);
  });

  it('names what no upgrade clears, each once', () => {
    expect(
      upgradePlan([found('CVE-1', 'a', null), found('CVE-1', 'a', ''), found('CVE-2', 'b', null)]),
    ).toEqual({
      upgrades: [],
      unfixed: [
        { id: 'CVE-1', package: 'a', installedVersion: '1.0' },
        { id: 'CVE-2', package: 'b', installedVersion: '1.0' },
      ],
    });
  });

  it('is the same in any order, and names each finding', () => {
    const finding = fc.record({
      id: fc.constantFrom('CVE-1', 'CVE-2', 'CVE-3'),
      package: fc.constantFrom('a', 'b'),
      installedVersion: fc.constantFrom('1.0', '1.5'),
      fixedVersion: fc.constantFrom(null, '1.1', '2.0', '1.6, 2.1', '1.9'),
    });
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 12 }), (findings) => {
        const plan = upgradePlan(findings);
        const reversed = upgradePlan(findings.toReversed());
        expect(reversed.upgrades).toEqual(plan.upgrades);
        const named = new Set([
          ...plan.upgrades.flatMap(({ clears }) => clears),
          ...plan.unfixed.map(({ id }) => id),
        ]);
        expect(named).toEqual(new Set(findings.map(({ id }) => id)));
      }),
    );
  });
});
