/** What `pcs mirror` prints of mirrors and their tags. */
import { countText } from '@portcullis/command';
import type { MirrorSummary, MirrorTagView, MirrorView } from '@portcullis/contract';
import { painted } from '../../job-lines.ts';

export function summaryLine({ folder, host, prefix, may_bring_in: may }: MirrorSummary): string {
  const rights = may ? '' : ': you may pull what is here';
  return `${folder} mirrors ${upstreamOf({ host, prefix })}${rights}`;
}

export function mirrorLines(mirror: MirrorView): string[] {
  const { registry_name: registry, allow, platforms, check_minutes, keep_days } = mirror;
  const { current, coming, refused, behind, failed, withdrawn, unanswered } = mirror.tags;
  return [
    summaryLine(mirror),
    `  registry   ${registry ?? 'Docker Hub without a login'}`,
    `  allow      ${allow.join(', ')}`,
    `  platforms  ${platforms.length === 0 ? 'all' : platforms.join(', ')}`,
    `  checked    every ${check_minutes === 1 ? 'minute' : countText(check_minutes, 'minute')}`,
    `  kept       ${countText(keep_days, 'day')} after the last pull`,
    `  tags       ${current} as at the upstream, ${coming} on their way, ${mirror.passed_this_week} passed this week`,
    ...(refused + failed === 0 ? [] : [`             ${refused} refused, ${failed} failed`]),
    ...(behind + withdrawn + unanswered === 0
      ? []
      : [`             ${behind} behind, ${withdrawn} withdrawn, ${unanswered} unanswered`]),
  ];
}

/** The newest pulls that the upstream did not answer with an image. */
export function attemptLines({ attempts }: Pick<MirrorView, 'attempts'>): string[] {
  return attempts.flatMap(({ repository, reference, account, error, gone, since, at }) => [
    `${placeOf(repository, reference)}: ${painted(gone ? 'yellow' : 'red', gone ? 'not at the upstream' : 'no answer')}`,
    `  ${error.message} (${error.code})`,
    `  pulled by ${account} ${at}${since === at ? '' : `, the same since ${since}`}`,
  ]);
}

function placeOf(repository: string, reference: string): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`;
}

export function tagLines(tag: MirrorTagView): string[] {
  const { repository, state, digest, upstream_digest: upstream, error, next_at: next } = tag;
  const isSame = digest === upstream;
  return [
    `${repository}:${tag.tag}: ${painted(COLOURS[state], state)}`,
    ...(digest === null ? [] : [`  here      ${digest}`]),
    ...(upstream === null || isSame ? [] : [`  upstream  ${upstream}`]),
    ...(tag.reduced ? [`  reduced   ${REDUCED}`] : []),
    ...(error === null ? [] : [`  ${error.message} (${error.code})`]),
    ...(tag.job_id === null || error === null ? [] : [`  job       ${tag.job_id}`]),
    ...(next === null ? [] : [`  tried again after ${next}`]),
  ];
}

const REDUCED = 'the registry takes no index without all of its platforms';

const COLOURS: Record<MirrorTagView['state'], Parameters<typeof painted>[0]> = {
  refused: 'red',
  behind: 'yellow',
  failed: 'red',
  withdrawn: 'yellow',
  unanswered: 'yellow',
  coming: 'green',
  current: 'green',
};

function upstreamOf({ host, prefix }: Pick<MirrorSummary, 'host' | 'prefix'>): string {
  return prefix === '' ? host : `${host}/${prefix}`;
}
