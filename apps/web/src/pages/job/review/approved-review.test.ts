import type { Job } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { approvedReview, type JobReview } from './approved-review.ts';

const NOW = Date.parse('2026-05-01T00:00:00Z');
const APPROVED: JobReview = {
  ...{ number: 42, state: 'approved', changed: null, folder: 'team', registry_id: '__local__' },
  ...{ repository: 'team/nginx', tag: '1.27', until: '2026-06-01T00:00:00Z', push: null },
  comment: null,
};
type Reviewed = Pick<Job, 'reviews' | 'verdict' | 'status'>;
const JOB: Reviewed = { status: 'staged', verdict: 'blocked', reviews: [APPROVED] };

it.each<[string, Reviewed, number | null]>([
  ['an approval opens the gate', JOB, 42],
  ['not where it is asked for', { ...JOB, reviews: [{ ...APPROVED, state: 'open' }] }, null],
  ['not by a part of it', { ...JOB, reviews: [{ ...APPROVED, state: 'partly_approved' }] }, null],
  ['not for another image', { ...JOB, reviews: [{ ...APPROVED, changed: 'image_changed' }] }, null],
  [
    'not after its end',
    { ...JOB, reviews: [{ ...APPROVED, until: '2026-04-30T00:00:00Z' }] },
    null,
  ],
  ['an image that passes needs none', { ...JOB, verdict: 'clean' }, null],
  ['not while a scan may find more', { ...JOB, status: 'scanning' }, null],
  ['not without any', { ...JOB, reviews: [] }, null],
])('%s', (_, job, number) => {
  expect(approvedReview(job, NOW)?.number ?? null).toBe(number);
});
