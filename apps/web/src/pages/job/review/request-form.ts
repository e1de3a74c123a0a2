/** The form of a review request about a job, and the request made of it. */
import type { Job } from '@portcullis/contract';
import type { RequestFor } from '../../../api/client.ts';
import { judgedPlace, type PushForm, previewQuery, proposal } from '../push/push-form.ts';
import { endOfDay, firstEnd } from './review-form.ts';

export interface RequestForm extends PushForm {
  reason: string;
  ticket: string;
  /** As in `<input type="date">`: the last day. */
  until: string;
  pushWhenApproved: boolean;
}

/** For the destination that was chosen, or else for the one of the last push. */
export function firstRequest(
  job: Parameters<typeof proposal>[0] & Partial<Pick<Job, 'standing'>>,
  now: number,
): RequestForm {
  const until = firstEnd(now);
  const destination = job.destination ?? judgedPlace(job.standing ?? null);
  return {
    ...proposal({ ...job, destination }),
    reason: '',
    ticket: '',
    until,
    pushWhenApproved: true,
  };
}

export function requestBody(
  jobId: string,
  form: RequestForm,
): RequestFor<'reviews.request'>['body'] {
  const ticket = form.ticket.trim();
  return {
    ...previewQuery(jobId, form),
    reason: form.reason.trim(),
    ticket: ticket === '' ? null : ticket,
    until: endOfDay(form.until),
    push_when_approved: form.pushWhenApproved,
  };
}
