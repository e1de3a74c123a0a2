import { describe, expect, it } from 'vitest';
import {
  DEFAULT_POLICY,
  effectivePolicy,
  parseSeverities,
  policyFromEnv,
  policyInForce,
} from './settings.ts';

describe('policyFromEnv', () => {
  it('is the default where nothing is set', () => {
    expect(policyFromEnv({})).toEqual(DEFAULT_POLICY);
  });

  it('reads every variable', () => {
    const env = {
      VULN_SCAN_ENABLED: 'false',
      VULN_SCAN_SEVERITIES: 'low, critical',
      VULN_IGNORE_UNFIXED: '1',
      VULN_SCAN_TIMEOUT: '5m',
      VULN_ON_ERROR: 'allow',
      VULN_THIRD_PARTY: 'accept',
      VULN_OVERRIDE: 'anyone',
      VULN_MAX_DATABASE_AGE_DAYS: '30',
      VULN_MIN_AGE_HOURS: '72',
      VULN_UNLESS_FIXES: 'KEV',
    };
    expect(policyFromEnv(env)).toEqual({
      scanEnabled: false,
      severities: ['CRITICAL', 'LOW'],
      ignoreUnfixed: true,
      timeoutSeconds: 300,
      onError: 'allow',
      thirdParty: 'accept',
      override: 'anyone',
      maxDatabaseAgeDays: 30,
      minAgeHours: 72,
      unlessFixes: 'kev',
    });
  });

  it.each([
    ['VULN_MIN_AGE_HOURS', '8761'],
    ['VULN_MIN_AGE_HOURS', '1.5'],
    ['VULN_UNLESS_FIXES', 'all'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => policyFromEnv({ [name]: value })).toThrow(name);
  });

  it('reports every wrong variable', () => {
    expect(() => policyFromEnv({ VULN_SCAN_SEVERITIES: 'BAD', VULN_ON_ERROR: 'maybe' })).toThrow(
      /VULN_SCAN_SEVERITIES[\s\S]*VULN_ON_ERROR/,
    );
  });
});

it('a stored override wins, and is marked as the source', () => {
  const stored = { ...DEFAULT_POLICY, scanEnabled: false };
  expect(effectivePolicy(DEFAULT_POLICY, stored)).toEqual({ ...stored, source: 'override' });
  expect(effectivePolicy(DEFAULT_POLICY, null).source).toBe('env');
});

it.each([
  ['CRITICAL,high', ['CRITICAL', 'HIGH']],
  ['', []],
  ['severe', null],
])('the list %j is %j', (text, list) => {
  expect(parseSeverities(text)).toEqual(list);
});

describe('policyInForce', () => {
  it.each([
    ['nothing stored', null, true, { scanEnabled: true, onError: 'block', source: 'env' }],
    [
      'an override',
      { onError: 'allow' },
      true,
      { scanEnabled: true, onError: 'allow', source: 'override' },
    ],
    ['no scanner', null, false, { scanEnabled: false, source: 'env' }],
    [
      'an override that wants scans, no scanner',
      { scanEnabled: true },
      false,
      { scanEnabled: false },
    ],
  ])('%s', (_, stored, scannerEnabled, expected) => {
    expect(policyInForce(stored, DEFAULT_POLICY, scannerEnabled)).toMatchObject(expected);
  });
});
