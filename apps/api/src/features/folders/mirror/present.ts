/** Mirrors and their tags as the API writes them. */
import { type Principal, waitText } from '@portcullis/domain';
import { endOfResult, writtenHost } from '@portcullis/domain/mirror';
import type { OfferedMirror, ShownMirror, ShownMirrorTag } from './service.ts';

export function presentSummary({ folder, prefix, mayBringIn, host }: OfferedMirror) {
  return { folder, host: writtenHost({ host }), prefix, mayBringIn };
}

export function presentMirror(mirror: ShownMirror) {
  const { registryId, registryName, allow, platforms, checkMinutes, keepDays, figures } = mirror;
  return {
    ...presentSummary(mirror),
    ...{ registryId, registryName, checkMinutes, keepDays },
    allow: [...allow],
    platforms: [...platforms],
    ...figures,
    attempts: mirror.attempts.map(({ fault: { code, message, gone }, ...attempt }) => ({
      ...attempt,
      ...{ error: { code, message }, gone },
    })),
  };
}

export function presentTag(
  { job, here, fault, goodAt, dueAt, seenAt: _, ...tag }: ShownMirrorTag,
  { id, isAdmin }: Principal,
) {
  const isBringing = tag.state === 'coming';
  const failed = fault === null && job !== null && job.error !== null && !isBringing ? job : null;
  const { waitsUntil } = tag;
  const error = fault ?? failed?.error ?? (waitsUntil && tooYoung(waitsUntil));
  return {
    ...tag,
    digest: here,
    error: error && { code: error.code, message: error.message },
    nextAt: isBringing ? null : (waitsUntil ?? (failed && endOfResult(failed)) ?? dueAt),
    passedAt: here === null ? null : goodAt,
    jobId: job !== null && (isAdmin || job.ownerId === id) ? job.id : null,
  };
}

function tooYoung(until: Date) {
  return { code: 'TOO_YOUNG', message: `the image is too new here and ${waitText(until)}` };
}
