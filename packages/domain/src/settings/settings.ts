/** Settings of the scan policy: environment variables, and a stored override over them. */

import {
  type ScanPolicy,
  SEVERITIES,
  type Severity,
  UNLESS_FIXES,
} from '../policy/vulnerability.ts';
import { envReader, oneOf, parseBoolean, type Variables } from './env-reader.ts';

export const DEFAULT_POLICY: ScanPolicy = {
  scanEnabled: true,
  severities: ['CRITICAL', 'HIGH'],
  ignoreUnfixed: false,
  timeoutSeconds: 300,
  onError: 'block',
  thirdParty: 'partial',
  override: 'privileged',
  maxDatabaseAgeDays: null,
  minAgeHours: 0,
  unlessFixes: 'none',
};

/** Upper bounds of the settings. */
export const MOST_DATABASE_AGE_DAYS = 3_650;
/** A year. */
export const MOST_MIN_AGE_HOURS = 8_760;

/** The policy and where it comes from. */
export interface EffectivePolicy extends ScanPolicy {
  source: 'env' | 'override';
}

export function effectivePolicy(env: ScanPolicy, stored: ScanPolicy | null): EffectivePolicy {
  return stored ? { ...stored, source: 'override' } : { ...env, source: 'env' };
}

/** The settings key of the stored override. */
export const POLICY_SETTING = 'trivy.override';

/**
 * The effective policy. `stored` was written by us; fields that it lacks are those of `env`.
 * Without a scanner (`TRIVY_ENABLED`) no scan is wanted.
 */
export function policyInForce(
  stored: unknown,
  env: ScanPolicy,
  scannerEnabled: boolean,
): EffectivePolicy {
  const override = typeof stored === 'object' && stored !== null ? { ...env, ...stored } : null;
  const policy = effectivePolicy(env, override);
  return { ...policy, scanEnabled: policy.scanEnabled && scannerEnabled };
}

function isSeverity(word: string): word is Severity {
  return SEVERITIES.some((severity) => severity === word);
}

/** Parses a comma-separated list in any case; null where a word isn't a severity. */
export function parseSeverities(text: string): Severity[] | null {
  const words = text
    .split(',')
    .map((word) => word.trim().toUpperCase())
    .filter((word) => word !== '');
  const known = words.filter(isSeverity);
  return known.length === words.length
    ? SEVERITIES.filter((severity) => known.includes(severity))
    : null;
}

/** Reads `VULN_*`. @throws invalid naming every wrong variable */
export function policyFromEnv(env: Variables): ScanPolicy {
  const { read, assertAll } = envReader(env);
  const policy: ScanPolicy = {
    scanEnabled: read(
      'VULN_SCAN_ENABLED',
      parseBoolean,
      DEFAULT_POLICY.scanEnabled,
      'true or false',
    ),
    severities: read(
      'VULN_SCAN_SEVERITIES',
      parseSeverities,
      DEFAULT_POLICY.severities,
      SEVERITIES.join(','),
    ),
    ignoreUnfixed: read(
      'VULN_IGNORE_UNFIXED',
      parseBoolean,
      DEFAULT_POLICY.ignoreUnfixed,
      'true or false',
    ),
    timeoutSeconds: read(
      'VULN_SCAN_TIMEOUT',
      parseSeconds,
      DEFAULT_POLICY.timeoutSeconds,
      'seconds, or 5m',
    ),
    onError: read(
      'VULN_ON_ERROR',
      oneOf('block', 'allow'),
      DEFAULT_POLICY.onError,
      'block or allow',
    ),
    thirdParty: read(
      'VULN_THIRD_PARTY',
      oneOf('partial', 'accept'),
      DEFAULT_POLICY.thirdParty,
      'partial or accept',
    ),
    override: read(
      'VULN_OVERRIDE',
      oneOf('privileged', 'anyone'),
      DEFAULT_POLICY.override,
      'privileged or anyone',
    ),
    maxDatabaseAgeDays: daysOrNone(
      read(
        'VULN_MAX_DATABASE_AGE_DAYS',
        parseUpTo(MOST_DATABASE_AGE_DAYS),
        0,
        `0 to ${MOST_DATABASE_AGE_DAYS}, 0 for any age`,
      ),
    ),
    minAgeHours: read(
      'VULN_MIN_AGE_HOURS',
      parseUpTo(MOST_MIN_AGE_HOURS),
      DEFAULT_POLICY.minAgeHours,
      `0 to ${MOST_MIN_AGE_HOURS}`,
    ),
    unlessFixes: read(
      'VULN_UNLESS_FIXES',
      oneOf(...UNLESS_FIXES),
      DEFAULT_POLICY.unlessFixes,
      'none, kev or blocking',
    ),
  };
  assertAll();
  return policy;
}

function parseUpTo(most: number): (text: string) => number | null {
  return (text) => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return number <= most ? number : null;
  };
}

function daysOrNone(days: number): number | null {
  return days === 0 ? null : days;
}

function parseSeconds(text: string): number | null {
  const match = /^(\d{1,6})(s|m|h)?$/.exec(text);
  if (!match) return null;
  const seconds =
    Number(match[1]) *
    { s: 1, m: 60, h: 3600 }[match[2] === 'm' ? 'm' : match[2] === 'h' ? 'h' : 's'];
  return seconds > 0 && seconds <= 86_400 ? seconds : null;
}
