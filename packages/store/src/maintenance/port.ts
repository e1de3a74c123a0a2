import type { AuditRecord } from '../audit/port.ts';

export const MAINTENANCE_KINDS = ['gc', 'scanner-db'] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

/** A requested maintenance task and its outcome. */
export interface MaintenanceRun {
  id: string;
  kind: MaintenanceKind;
  state: 'queued' | 'running' | 'done' | 'failed';
  options: Record<string, boolean>;
  result: Record<string, number>;
  error: { code: string; message: string } | null;
  logTail: string[];
  requestedBy: string;
  /** Of the API request that asked for it. */
  requestId: string | null;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The fence of writes; it never decreases. */
  attempts: number;
  /** The attempts that count against the limit, including this one. */
  tries: number;
}

export interface Maintenance {
  /** The newest run. */
  latest(kind: MaintenanceKind): Promise<MaintenanceRun | null>;
  /** Null where a run of this kind is already queued or running. */
  request(
    run: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>,
  ): Promise<MaintenanceRun | null>;
  /** Runs that a worker may claim: those that are queued, and those whose worker is dead. */
  due(): Promise<Pick<MaintenanceRun, 'id' | 'kind' | 'attempts'>[]>;
  /** Assigns the oldest run that is due to a worker. `attempts` fences every later write. */
  claim(kind: MaintenanceKind, workerId: string): Promise<MaintenanceRun | null>;
  /** False where the run is no longer this attempt's. */
  renew(run: Attempt): Promise<boolean>;
  /** Requeues a run that did not end; the attempt does not count. */
  release(run: Attempt): Promise<void>;
  /** False where the run is no longer this attempt's and nothing was written. */
  finish(
    run: Attempt,
    end: Pick<MaintenanceRun, 'result' | 'logTail' | 'error'> & { event?: AuditRecord },
  ): Promise<boolean>;
}

type Attempt = Pick<MaintenanceRun, 'id' | 'attempts'>;
