/** The waivers of the findings of the job that is shown. */
import type { Job, Waiver } from '@portcullis/contract';
import { createContext, use } from 'react';
import { useAnswer } from '../../../api/api.ts';

export type WaiversOfFindings = ReadonlyMap<string, readonly Waiver[]>;

export const FindingWaiversContext = createContext<WaiversOfFindings>(new Map());

const REFRESH_MS = 60_000;

interface FindingWaivers {
  /** By vulnerability, those in force first. An error shows the findings without them. */
  waivers: WaiversOfFindings;
  isLoading: boolean;
}

/** Asked for together with the job, which says whether it has findings. */
export function useFindingWaivers(jobId: string, job: Job | undefined): FindingWaivers {
  const { data, isLoading, failureCount } = useAnswer(
    'waivers.ofFindings',
    { query: { job_id: jobId } },
    {
      enabled: job === undefined || (job.vuln_result?.total ?? 0) > 0,
      // What was answered before the scan ended had no findings.
      staleTime: 0,
      refetchInterval: REFRESH_MS,
      select: byVulnerability,
    },
  );
  return { waivers: data ?? NONE, isLoading: isLoading && failureCount === 0 };
}

const NONE: WaiversOfFindings = new Map();

function byVulnerability(waivers: readonly Waiver[]): WaiversOfFindings {
  const shown = waivers.filter(({ state, in_force }) => state === 'requested' || in_force);
  const sorted = shown.toSorted((one, other) => Number(other.in_force) - Number(one.in_force));
  return Map.groupBy(sorted, ({ vulnerability }) => vulnerability);
}

export function useWaiversOf(vulnerability: string): readonly Waiver[] {
  return use(FindingWaiversContext).get(vulnerability) ?? [];
}
