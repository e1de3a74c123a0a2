import type { AuditRecord } from '../audit/port.ts';

export const MAINTENANCE_KINDS = ['gc', 'scanner-db'] as const;
export type MaintenanceKind = (typeof MAINTENANCE_KINDS)[number];

/** What somebody asked for, and how it went. */
export interface MaintenanceRun {
  id: string;
  kind: MaintenanceKind;
  state: 'queued' | 'running' | 'done' | 'failed';
  options: Record<string, boolean>;
  /** Figures of what was done. */
  result: Record<string, number>;
  error: { code: string; message: string } | null;
  logTail: string[];
  requestedBy: string;
  requestedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface Maintenance {
  /** The newest; one whose worker fell silent has failed. */
  latest(kind: MaintenanceKind): Promise<MaintenanceRun | null>;
  /** Null where one of the kind waits or runs already. */
  request(
    run: Pick<MaintenanceRun, 'kind' | 'options' | 'requestedBy'>,
  ): Promise<MaintenanceRun | null>;
  /** A worker takes what waits. */
  claim(kinds: readonly MaintenanceKind[], workerId: string): Promise<MaintenanceRun | null>;
  /** False: it isn't this worker's any more. */
  renew(id: string, workerId: string): Promise<boolean>;
  /** False: it isn't this worker's any more, and nothing was written. */
  finish(
    id: string,
    workerId: string,
    end: Pick<MaintenanceRun, 'result' | 'logTail' | 'error'> & { event?: AuditRecord },
  ): Promise<boolean>;
  /** Runs whose worker fell silent since the last call: each is given once, and its event is committed with that. */
  abandoned(eventOf?: (run: MaintenanceRun) => AuditRecord): Promise<MaintenanceRun[]>;
}
