/** A job for people: its image, its verdict, and why it is blocked or has failed. */
import util from 'node:util';
import { findingText } from '@portcullis/command';
import type { Job, PushView, StandingView, VulnerabilityView } from '@portcullis/contract';
import { SEVERITIES, standingText } from '@portcullis/domain';
import { DOCKER_HUB_HOST } from '@portcullis/oci';

type Counts = NonNullable<Job['vuln_result']>['counts'];

export function imageOf({ source, image, tag, digest }: Job): string {
  const at = digest === null || tag === digest ? '' : `@${digest}`;
  const host = source.host === DOCKER_HUB_HOST ? 'docker.io' : source.host;
  return `${host}/${image}${tag === digest ? '@' : ':'}${tag}${at}`;
}

/** The outcome of a pull, with the findings that block it. */
export function jobLines(job: Job): string[] {
  return [
    `${imageOf(job)}: ${outcomeOf(job)}`,
    ...standingLines(job),
    ...blockingOf(job).map((finding) => `  ${finding}`),
    ...(job.error === null ? [] : [`  ${job.error.message} (${job.error.code})`]),
    `  job ${job.job_id}`,
  ];
}

function outcomeOf({ status, verdict, blocked, vuln_result: found }: Job): string {
  if (status === 'failed' && !blocked) return painted('red', 'failed');
  if (status === 'cancelled') return painted('yellow', 'cancelled');
  const word = blocked ? painted('red', 'blocked') : painted(COLORS[verdict] ?? 'yellow', verdict);
  return found === null || found.total === 0 ? word : `${word}, ${countsText(found.counts)}`;
}

/** How it stands for the destination that was chosen, and where it stands otherwise. */
function standingLines({ destination, standing, elsewhere = [] }: Job): string[] {
  if (!destination || !standing) return [];
  const place = destination.folder ?? destination.host;
  const others = elsewhere.map((each) => `  elsewhere, in ${each.folder}: ${said(each)}`);
  return [`  for ${place}: ${said(standing)}`, ...others];
}

function said(standing: StandingView): string {
  return standingText({
    ...standing,
    blockingTotal: standing.blocking_total,
    fixableTotal: standing.fixable_total,
    waitsFor: standing.waits_for,
  });
}

const COLORS: Partial<Record<Job['verdict'], Color>> = { clean: 'green', findings: 'green' };

type Color = 'red' | 'yellow' | 'green';

/** Only on a terminal, and not with NO_COLOR. Node 18 has no `styleText`: see `node-version.ts`. */
export function painted(color: Color, text: string): string {
  return util.styleText(color, text);
}

export function countsText(counts: Counts): string {
  const parts = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity.toLowerCase()}`,
  );
  return parts.join(', ') || 'no findings';
}

const MOST_FINDINGS = 10;

/** Findings of the severities that block, the worst first. */
function blockingOf({ blocked, vuln_result: found }: Job): string[] {
  if (!blocked || found === null) return [];
  const all = (found.vulnerabilities ?? []).filter(({ severity }) =>
    found.severities.includes(severity),
  );
  const more = all.length - MOST_FINDINGS;
  return [
    ...all.slice(0, MOST_FINDINGS).map(vulnerabilityText),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function vulnerabilityText({ id, severity, packages: [first] }: VulnerabilityView): string {
  if (first === undefined) return `${severity} ${id}`;
  return findingText({ ...first, vulnerability: id, severity, package: first.name });
}

export function pushLines({ destination, status, digest, error }: PushView): string[] {
  const name = digest === null ? destination : `${destination}@${digest}`;
  const word = status === 'done' ? painted('green', 'pushed') : painted('red', status);
  const why = error === null ? [] : [`  ${error.message} (${error.code})`];
  return [`${name}: ${status === 'queued' || status === 'running' ? status : word}`, ...why];
}
