/** Which findings of the job that is shown its previous scan did not find. */
import type { Job, NewFindings } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ask } from '../../../api/api.ts';

export interface SincePrevious {
  /** Null: there is nothing to compare with. */
  previous: NewFindings['previous'];
  /** Of the new ones; empty without a previous scan. */
  ids: ReadonlySet<string>;
}

export const NewFindingsContext = createContext<ReadonlySet<string>>(new Set());

/** Undefined until it is known. An error shows the findings without it. */
export function useSincePrevious(job: Job): SincePrevious | undefined {
  const { queryKey, ...request } = ask('staging.listNewFindings', {
    params: { job_id: job.job_id },
  });
  const { data } = useQuery({
    ...request,
    // A new scan, which changes the answer, adds to the timeline.
    queryKey: [...queryKey, job.timeline?.length],
    enabled: (job.vuln_result?.total ?? 0) > 0,
    select: sincePrevious,
  });
  return data;
}

function sincePrevious({ previous, vulnerabilities }: NewFindings): SincePrevious {
  return { previous, ids: new Set(vulnerabilities) };
}

/** Whether any of these findings is new. */
export function useIsNew(findings: readonly { id: string }[]): boolean {
  const ids = use(NewFindingsContext);
  return findings.some(({ id }) => ids.has(id));
}
