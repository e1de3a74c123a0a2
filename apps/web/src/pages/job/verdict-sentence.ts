/** Describes a job's verdict or status in one sentence. */

import type { Job, VulnResultView } from '@portcullis/contract';
import { type Messages, useMessages, useWords } from '../../i18n/messages.ts';
import { useJobFaultText } from '../../kit/fault/job-fault.tsx';
import type { Tone } from '../../kit/verdict/badge.tsx';
import { useSeverityList } from '../../kit/verdict/severity-list.ts';
import { type PlaceName, usePlaceName } from '../registries/use-place-name.ts';
import { clearedByUpdates } from './instead/blocking-packages.ts';

export interface Sentence {
  tone: Tone;
  title: string;
  text: string;
}

export function useVerdictSentence(): (job: Job) => Sentence {
  const [t, format] = useWords('job');
  const { status: statuses } = useMessages('staging');
  const { verdict: verdicts, severity, findings, means } = useMessages('verdict');
  const faultText = useJobFaultText();
  const severityList = useSeverityList();
  const nameOf = usePlaceName();

  function fixes(result: VulnResultView): string {
    const { blocking, fixable } = clearedByUpdates(result);
    if (fixable === 0) return t.summary.noFix;
    return fixable === blocking
      ? t.summary.allFixable(blocking)
      : t.summary.fixable(fixable, blocking);
  }

  function judged(job: Job): string {
    const result = job.vuln_result;
    if (job.verdict === 'blocked' && result)
      return t.summary.blocked(
        severityList(result.blocking ?? result.counts, result.severities),
        fixes(result),
      );
    if (job.verdict === 'findings' && result)
      return t.summary.findings(
        findings(result.total),
        format.list(result.severities.map((each) => severity[each])),
      );
    if (job.verdict === 'error')
      return [means.error, job.error && faultText(job.error)].filter(Boolean).join(' ');
    if (job.verdict === 'pending' || job.verdict === 'blocked' || job.verdict === 'findings')
      return '';
    if (job.verdict === 'unscannable' && result?.artifact_type !== undefined)
      return t.summary.artifact(result.artifact_type);
    return means[job.verdict];
  }

  function earlier({ vuln_result: result }: Job): string {
    const failedAt = result?.later_scan_failed_at;
    return failedAt ? t.summary.earlier(format.dateTime(failedAt)) : '';
  }

  function failed({ error }: Job): string {
    if (error === null) return '';
    const text = faultText(error);
    if (error.side === undefined || error.side === null) return text;
    return error.side === 'source' ? t.summary.atSource(text) : t.summary.atTarget(text);
  }

  return (job) => {
    // During a rescan the job still has the previous verdict.
    const isScanned = job.status !== 'scan_queued' && job.status !== 'scanning';
    if (isScanned && job.verdict !== 'pending') {
      const text = [judged(job), earlier(job)].filter(Boolean).join(' ');
      return { tone: TONES[job.verdict], title: verdicts[job.verdict], text };
    }
    if (job.status === 'failed')
      return { tone: 'critical', title: statuses.failed, text: failed(job) };
    if (job.status === 'cancelled')
      return { tone: 'unknown', title: statuses.cancelled, text: t.summary.cancelled };
    return { tone: 'wait', title: statuses[job.status], text: waiting(job, t, nameOf) };
  };
}

function waiting({ status, source }: Job, t: Messages['job'], nameOf: PlaceName): string {
  if (status === 'pulling') return t.summary.pulling(nameOf(source.host, source.registry_id));
  return status === 'scanning' ? t.summary.scanning : t.summary.waiting;
}

const TONES = {
  clean: 'good',
  findings: 'good',
  blocked: 'critical',
  skipped: 'unknown',
  unscannable: 'high',
  error: 'high',
} as const satisfies Record<Exclude<Job['verdict'], 'pending'>, Tone>;
