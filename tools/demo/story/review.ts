/** A waiver: requested by one account, approved by another. */
import type { ApiClient } from '@portcullis/client';
import type { Job } from '@portcullis/contract';
import { isAppError } from '@portcullis/errors';
import { Refusal } from '../refusal.ts';
import { nameIn } from './jobs.ts';
import { FOLDER } from './set-up.ts';

const DAYS = 30;

/** For the finding that blocks the image, in this image of the folder alone. @returns its id */
export async function requestWaiver(developer: ApiClient, job: Job, reason: string) {
  const { vuln_result } = await developer.call('staging.getJob', {
    params: { job_id: job.job_id },
  });
  const [finding] = vuln_result?.vulnerabilities ?? [];
  if (finding === undefined) throw new Refusal(`${job.image} has no finding`);
  return developer.call('waivers.request', {
    body: {
      vulnerability: finding.id,
      package: finding.packages[0]?.name ?? null,
      repository: `${FOLDER}/${nameIn(job.image)}`,
      folder: FOLDER,
      status: 'accepted',
      reason,
      expires_at: new Date(Date.now() + DAYS * 86_400_000).toISOString(),
    },
  });
}

export async function approve(api: ApiClient, id: string): Promise<void> {
  await api.call('waivers.approve', { params: { id } });
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
