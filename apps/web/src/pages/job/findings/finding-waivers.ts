/** The waivers of the findings of the job that is shown. */
import type { Waiver } from '@portcullis/contract';
import { createContext, use } from 'react';
import { useAnswer } from '../../../api/api.ts';

export type WaiversOfFindings = ReadonlyMap<string, readonly Waiver[]>;

export const FindingWaiversContext = createContext<WaiversOfFindings>(new Map());

const REFRESH_MS = 60_000;

/** By vulnerability, those in force first. An error shows the findings without them. */
export function useFindingWaivers(jobId: string, enabled: boolean): WaiversOfFindings {
  const { data } = useAnswer(
    'waivers.ofFindings',
    { query: { job_id: jobId } },
    { enabled, refetchInterval: REFRESH_MS, select: byVulnerability },
  );
  return data ?? NONE;
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
