import { counter } from '../../i18n/count.ts';

const count = counter('en');

export const verdict = {
  verdict: {
    pending: 'Not scanned yet',
    clean: 'Clean',
    findings: 'Vulnerabilities found',
    blocked: 'Blocked by policy',
    skipped: 'Not scanned',
    unscannable: 'Not fully scannable',
    error: 'Scan failed',
  },
  short: { blocked: 'Blocked', findings: 'Vulnerabilities' },
  severity: {
    CRITICAL: 'Critical',
    HIGH: 'High',
    MEDIUM: 'Medium',
    LOW: 'Low',
    UNKNOWN: 'Unknown',
  },
  counted: {
    CRITICAL: (n: number) => count(n, 'critical'),
    HIGH: (n: number) => count(n, 'high'),
    MEDIUM: (n: number) => count(n, 'medium'),
    LOW: (n: number) => count(n, 'low'),
    UNKNOWN: (n: number) => count(n, 'unknown'),
  },
  findings: (n: number) => count(n, 'vulnerability', 'vulnerabilities'),
  found: (counted: string, list: string) => `${counted}: ${list}.`,
  means: {
    clean: 'The scan covered the whole image and found no vulnerabilities.',
    skipped: 'The image was not scanned.',
    unscannable: 'The scanner could not cover the whole image.',
    error: 'The scan failed, so it is not known whether the image has vulnerabilities.',
  },
};
