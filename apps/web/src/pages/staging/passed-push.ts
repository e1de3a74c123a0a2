/** Whether a job's image passed the gate only by a privilege or by waivers, and with which push. */
import type { Job, PushView } from '@portcullis/contract';

type PushedJob = Pick<Job, 'status' | 'pushes'>;

/** The last such push of a job that has ended well. */
export function passedPush({ status, pushes }: PushedJob): PushView | undefined {
  return status === 'pushed' ? pushes.findLast(hasPassed) : undefined;
}

/** By the privilege of an account. */
export function isBypassed(job: PushedJob): boolean {
  return (passedPush(job)?.bypassed ?? null) !== null;
}

function hasPassed({ status, bypassed, waivers }: PushView): boolean {
  return status === 'done' && (bypassed !== null || waivers.length > 0);
}
