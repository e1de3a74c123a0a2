import type { AuditRecord } from '../audit/port.ts';

export const MAINTENANCE_KINDS = ['gc', 'scanner-db'] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

/** A requested maintenance task and its outcome. */
export interface MaintenanceRun {
  id: string;
  kind: MaintenanceKind;
  state: 'queued' | 'running' | 'done' | 'failed';
  options: Record<string, boolean>;
  /** Figures of the outcome. */
  result: Record<string, number>;
  error: { code: string; message: string } | null;
  logTail: string[];
  requestedBy: string;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface Maintenance {
  /** The newest run; one whose worker is dead has failed. */
  latest(kind: MaintenanceKind): Promise<MaintenanceRun | null>;
  /** Null where a run of this kind is already queued or running. */
  request(
    run: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>,
  ): Promise<MaintenanceRun | null>;
  /** Assigns a queued run to a worker. */
  claim(kinds: readonly MaintenanceKind[], workerId: string): Promise<MaintenanceRun | null>;
  /** False where the run is no longer this worker's. */
  renew(id: string, workerId: string): Promise<boolean>;
  /** False where the run is no longer this worker's and nothing was written. */
  finish(
    id: string,
    workerId: string,
    end: Pick<MaintenanceRun, 'result' | 'logTail' | 'error'> & { event?: AuditRecord },
  ): Promise<boolean>;
  /**
   * Runs whose worker died since the last call: each is returned once, and its event is committed
   * with that.
   */
  abandoned(eventOf?: (run: MaintenanceRun) => AuditRecord): Promise<MaintenanceRun[]>;
}
