/** How far waivers accept the findings that block a job. */
import type { Job, VulnerabilityView } from '@portcullis/contract';
import { use, useMemo } from 'react';
import { FindingWaiversContext } from '../findings/finding-waivers.ts';
import { blockingOf } from './blocking.ts';

export interface JobReviewState {
  blocking: readonly VulnerabilityView[];
  /** Blocking findings with a waiver in force. */
  allowed: number;
  /** Blocking findings whose waiver waits for a reviewer. */
  requested: number;
  /** Whether the gate refuses the job until more is accepted. */
  isRefused: boolean;
}

export function useReviewState({ verdict, vuln_result: result }: Job): JobReviewState {
  const waivers = use(FindingWaiversContext);
  const blocking = useMemo(
    () => (result && verdict === 'blocked' ? blockingOf(result) : []),
    [result, verdict],
  );
  const known = blocking.map(({ id }) => waivers.get(id)?.[0]).filter((each) => each !== undefined);
  const allowed = known.filter(({ in_force }) => in_force).length;
  return {
    blocking,
    allowed,
    requested: known.length - allowed,
    isRefused: verdict === 'blocked' && allowed < Math.max(1, blocking.length),
  };
}
