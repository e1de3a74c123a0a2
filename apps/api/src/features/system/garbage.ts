/** Requests garbage collections of the built-in registry; a worker with its storage runs them. */
import { conflict } from '@portcullis/errors';
import type { MaintenanceRun, Store } from '@portcullis/store';

export interface GarbageServicePorts {
  runs: Pick<Store['maintenance'], 'latest' | 'request'>;
  /** Whether a running worker can collect garbage. */
  collectable(): Promise<boolean>;
  /** Enqueues the run; a failure is safe. */
  wake(run: MaintenanceRun): Promise<void>;
}

export interface GarbageRequest {
  dryRun: boolean;
  deleteUntagged: boolean;
  requestedBy: string;
}

export function createGarbageService({ runs, collectable, wake }: GarbageServicePorts) {
  async function collect({ requestedBy, ...options }: GarbageRequest): Promise<MaintenanceRun> {
    if (!(await collectable())) throw conflict('GC_UNAVAILABLE', UNAVAILABLE);
    const run = await runs.request({ kind: 'gc', options, requestedBy });
    if (!run) throw conflict('GC_RUNNING', 'A garbage collection runs already.');
    await wake(run);
    return run;
  }

  return { latest: () => runs.latest('gc'), collect };
}
export type GarbageService = ReturnType<typeof createGarbageService>;

const UNAVAILABLE =
  "No worker runs that has the registry's storage: its directory (REGISTRY_STORAGE), or its bucket (REGISTRY_S3_BUCKET). An outside registry is collected by its operator.";
