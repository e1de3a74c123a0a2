/** Why an image is not in a mirror: what a client that pulled it was told, or would be. */
import { isBlocked } from '../job/blocked-job.ts';
import { isSettled, type StagingJob } from '../job/staging-job.ts';
import { minuteText } from '../standing/cooldown.ts';
import { endOfResult } from './bring-in.ts';
import { beforeAsking, type MirrorRead } from './decide-read.ts';
import type { BringIn, UpstreamFault } from './mirror-tag.ts';

/** A pull of what is not here, to which the upstream named no digest. */
export interface MirrorAttempt {
  fault: UpstreamFault;
  /** From when on the same fault was met. */
  since: Date;
  at: Date;
}

export const MIRROR_ABSENCES = [
  'MIRROR_NOT_ALLOWED',
  'MIRROR_FORBIDDEN',
  'MIRROR_REFUSED',
  'MIRROR_PENDING',
  'MIRROR_FAILED',
  'MIRROR_UPSTREAM',
  'MIRROR_GONE',
  'MIRROR_NOT_ASKED',
] as const;

export interface MirrorAbsence {
  code: (typeof MIRROR_ABSENCES)[number];
  message: string;
}

type Job = BringIn & Pick<StagingJob, 'verdict'>;

interface AbsenceQuestion extends MirrorRead {
  here: null;
  job: Job | null;
  attempt: MirrorAttempt | null;
  /** Whether the reader may see the job. */
  showsJob: boolean;
}

export function absenceOf(asked: AbsenceQuestion): MirrorAbsence {
  const { job, attempt, showsJob, folder } = asked;
  const step = beforeAsking(asked);
  if (step.step === 'refuse' && isAboutRights(step.code))
    return { code: step.code, message: step.message };
  const isLater = attempt !== null && (job === null || attempt.at > job.updatedAt);
  if (isLater) return ofAttempt(attempt);
  if (job === null)
    return {
      code: 'MIRROR_NOT_ASKED',
      message: `this image is not here, and no recent pull of it is known: the first one makes the mirror ${folder} bring it in`,
    };
  const { code, message } = ofJob(job, folder);
  return { code, message: showsJob ? `${message} Job: ${job.id}` : message };
}

function isAboutRights(code: string): code is 'MIRROR_NOT_ALLOWED' | 'MIRROR_FORBIDDEN' {
  return code === 'MIRROR_NOT_ALLOWED' || code === 'MIRROR_FORBIDDEN';
}

function ofAttempt({ fault: { message, gone }, since, at }: MirrorAttempt): MirrorAbsence {
  return gone
    ? {
        code: 'MIRROR_GONE',
        message: `the upstream had no such image ${minuteText(at)}: ${message}`,
      }
    : {
        code: 'MIRROR_UPSTREAM',
        message: `the upstream has not answered for this image since ${minuteText(since)}, last ${minuteText(at)}: ${message}`,
      };
}

function ofJob(job: Job, folder: string): MirrorAbsence {
  const said = job.error?.message ?? 'its job ended without the image';
  if (!isSettled(job.status))
    return {
      code: 'MIRROR_PENDING',
      message:
        'the image is being brought in and scanned; its clients are held, or told to come again.',
    };
  if (isBlocked(job)) return { code: 'MIRROR_REFUSED', message: `${said} ${nextTry(folder, job)}` };
  return {
    code: 'MIRROR_FAILED',
    message: `the image was not brought in: ${said}. ${nextTry(folder, job)}`,
  };
}

/** An age that is reached ends the refusal by itself, and its reason says when. */
export function nextTry(folder: string, job: Parameters<typeof endOfResult>[0]): string {
  const again = `The mirror ${folder} tries it again`;
  const end = endOfResult(job);
  if (end === null) return `${again} then.`;
  const after = `${again} at a pull after ${minuteText(end)}`;
  return isBlocked(job)
    ? `${after}, or once a waiver or another policy lets it pass.`
    : `${after}.`;
}
