import { describe, expect, it } from 'vitest';
import { isCollectorAlone, parseConcurrency, readConfig } from './config.ts';
import { kindsFor } from './tasks/maintenance.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://u:secret@127.0.0.1/db',
  REDIS_URL: 'redis://127.0.0.1:6379',
  REGISTRY_URL: 'http://127.0.0.1:5000',
};

describe('readConfig', () => {
  it('requires three URLs; everything else has a default', () => {
    const config = readConfig(NEEDED);
    expect(config).toMatchObject({
      WORKER_STAGES: ['pull', 'scan', 'push'],
      TRIVY_ENABLED: true,
      EGRESS_ALLOW: [],
    });
    expect(config.policy.severities).toEqual(['CRITICAL', 'HIGH']);
  });

  it('reads the official feeds unless another address or off is given', () => {
    const { EPSS_URL, KEV_URL } = readConfig({ ...NEEDED, KEV_URL: '' });
    expect(EPSS_URL?.text).toBe('https://epss.empiricalsecurity.com/epss_scores-current.csv.gz');
    expect(KEV_URL?.text).toMatch(/^https:\/\/www\.cisa\.gov\/.*\.json$/);
    expect(readConfig({ ...NEEDED, EPSS_URL: 'off' }).EPSS_URL).toBeNull();
    expect(() => readConfig({ ...NEEDED, EPSS_URL: 'ftp://x' })).toThrow(/EPSS_URL/);
  });

  it('shortens the intervals of other searches with SWEEP_SECONDS, and never lengthens them', () => {
    const factorOf = (SWEEP_SECONDS: string) =>
      readConfig({ ...NEEDED, SWEEP_SECONDS }).searchFactor;
    expect(readConfig(NEEDED).searchFactor).toBe(1);
    expect([factorOf('1'), factorOf('60')]).toEqual([0.1, 1]);
  });

  it('reports all faults at once, and no value, which may be a secret', () => {
    const read = () =>
      readConfig({
        ...NEEDED,
        DATABASE_URL: 'mysql://u:secret@h/db',
        WORKER_STAGES: 'pull,wash',
        TRIVY_ENABLED: 'maybe',
      });
    expect(read).toThrow(/DATABASE_URL[\s\S]*WORKER_STAGES[\s\S]*TRIVY_ENABLED/);
    expect(read).not.toThrow(/secret/);
  });

  it('accepts stages, lists and proxies in common spellings', () => {
    const config = readConfig({
      ...NEEDED,
      WORKER_STAGES: 'push, pull',
      EGRESS_ALLOW: '10.0.0.0/8, r.lan:5000',
      https_proxy: 'http://proxy:3128',
    });
    expect(config).toMatchObject({
      WORKER_STAGES: ['pull', 'push'],
      EGRESS_ALLOW: ['10.0.0.0/8', 'r.lan:5000'],
      network: { proxy: { https_proxy: 'http://proxy:3128' } },
    });
  });
});

it.each([
  ['none', [], ['gc']],
  ['pull', ['pull'], ['gc', 'scanner-db']],
] as const)(
  'a worker that has the storage of the registry, and the stages %j',
  (text, stages, kinds) => {
    const config = readConfig({ ...NEEDED, WORKER_STAGES: text });
    expect(config.WORKER_STAGES).toEqual(stages);
    expect(isCollectorAlone(config)).toBe(stages.length === 0);
    expect(kindsFor(config, true)).toEqual(kinds);
  },
);

it('refuses `none` together with a stage', () => {
  expect(() => readConfig({ ...NEEDED, WORKER_STAGES: 'none,pull' })).toThrow(/WORKER_STAGES/);
});

it.each([
  ['3', { pull: 3, scan: 3, push: 3 }],
  ['scan=2', { pull: 8, scan: 2, push: 4 }],
  ['pull=8, push=1', { pull: 8, scan: 1, push: 1 }],
  ['wash=2', null],
  ['0', null],
])('a concurrency of %j means %j', (text, expected) =>
  expect(parseConcurrency(text)).toEqual(expected),
);
