/** The query of a job with its findings, which may be megabytes. */
import type { Job } from '@portcullis/contract';
import { queryOptions } from '@tanstack/react-query';
import { keyOf, text } from '../../api/api.ts';
import { parsedOnce } from './parsed-once.ts';

export function jobQuery(jobId: string) {
  const request = { params: { job_id: jobId } };
  return queryOptions({
    queryKey: keyOf('staging.getJob', request),
    queryFn: async ({ client, queryKey }) => {
      const body = await text('staging.getJob', request);
      return parsedOnce(body, client.getQueryData<Job>(queryKey));
    },
    // A comparison of all findings would take longer than to render what is visible.
    structuralSharing: false,
  });
}
