import type { Severity, Verdict } from '@portcullis/domain';
import { counter } from '../../i18n/count.ts';

type VerdictWords = Record<Verdict, string>;
type SeverityWords = Record<Severity, string>;

const count = counter('en');

export const verdict = {
  verdict: {
    pending: 'No verdict yet',
    clean: 'Clean',
    findings: 'Findings',
    blocked: 'Blocked',
    skipped: 'Not scanned',
    unscannable: 'Unscannable',
    error: 'Scan failed',
  } as VerdictWords,
  severity: {
    CRITICAL: 'Critical',
    HIGH: 'High',
    MEDIUM: 'Medium',
    LOW: 'Low',
    UNKNOWN: 'Unknown',
  } as SeverityWords,
  findings: (n: number) => count(n, 'finding', 'findings'),
  means: {
    clean: 'The scan covered the image and found nothing.',
    skipped: 'The image was not scanned.',
    unscannable: 'The scanner couldn’t cover the whole image, so that it can’t be called clean.',
    error: 'The scan failed; what isn’t known isn’t called clean.',
  },
};
