/** A review request: made by one account, decided by another. */
import type { ApiClient } from '@portcullis/client';
import type { Job, Review } from '@portcullis/contract';
import { isAppError } from '@portcullis/errors';
import { Refusal } from '../refusal.ts';
import { targetOf } from './jobs.ts';

const DAYS = 30;

/** For all that blocks the image in the folder. */
export function requestReview(developer: ApiClient, job: Job, reason: string): Promise<Review> {
  return developer.call('reviews.request', {
    body: {
      ...targetOf(job),
      reason,
      until: new Date(Date.now() + DAYS * 86_400_000).toISOString(),
    },
  });
}

export async function approve(api: ApiClient, { number }: Review): Promise<void> {
  await api.call('reviews.decide', { params: { number }, body: { decision: 'approve' } });
}

/** What the product answers. @throws Refusal where it allows it */
export async function refusalOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
  } catch (error) {
    if (isAppError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Refusal('Portcullis allowed what it has to refuse');
}
