import type { VulnResultView } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { blockingPackages, clearedByUpdates } from './blocking-packages.ts';

const NONE = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

function found(name: string, layer: string | null, severity: 'HIGH' | 'LOW' = 'HIGH') {
  return {
    ...{ id: `CVE-${name}`, severity, title: null, primary_url: null, published_at: null },
    ...{ cvss_score: null, cvss_vector: null, cvss_source: null, kev: null, epss: null },
    packages: [
      {
        ...{ name, installed_version: '1', fixed_version: '2', severity, layer_digest: layer },
        ...{ severity_source: null, status: 'fixed', target: '', path: null, purl: null },
        platform: null,
      },
    ],
  };
}

function result(base: string[] | undefined, ...vulnerabilities: ReturnType<typeof found>[]) {
  return {
    ...{ enabled: true, blocked: true, severities: ['HIGH'], counts: NONE, fixable: NONE },
    ...{ total: vulnerabilities.length, coverage: 'full', notes: [], os: null },
    scanner: { name: 'trivy', version: '1', db_updated_at: null },
    ...(base && { base_layers: base }),
    vulnerabilities,
  } satisfies VulnResultView as VulnResultView;
}

describe('the packages that block an image', () => {
  const names = (...args: Parameters<typeof result>) => {
    const { base, own } = blockingPackages(result(...args));
    return { base: base.map((each) => each.package), own: own.map((each) => each.package) };
  };

  it('are of the base image where their layer is one of its', () => {
    expect(names(['l1'], found('a', 'l1'), found('b', 'l2'), found('c', null))).toEqual({
      base: ['a'],
      own: ['b', 'c'],
    });
  });

  it('are all of the own layers where no base image is known', () => {
    expect(names(undefined, found('a', 'l1'))).toEqual({ base: [], own: ['a'] });
  });

  it('are those of a blocking severity', () => {
    expect(names(['l1'], found('a', 'l1', 'LOW'))).toEqual({ base: [], own: [] });
  });
});

describe('the vulnerabilities that updates clear', () => {
  const inPackages = (id: string, ...fixes: (string | null)[]) => {
    const [one] = found(id, null).packages;
    return {
      ...found(id, null),
      packages: fixes.flatMap((fixed_version, at) =>
        one ? [{ ...one, name: `package-${at}`, fixed_version: fixed_version ?? '' }] : [],
      ),
    };
  };

  it('count once, however many packages have them', () => {
    const found = result(undefined, inPackages('a', '2', '2'), inPackages('b', '2'));
    expect(clearedByUpdates(found)).toEqual({ blocking: 2, fixable: 2 });
  });

  it('are not those with a package that has no fix', () => {
    const found = result(undefined, inPackages('a', '2', null), inPackages('b', null));
    expect(clearedByUpdates(found)).toEqual({ blocking: 2, fixable: 0 });
  });
});
