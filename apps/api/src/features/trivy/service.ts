/** The scan policy and the vulnerability database, managed by administrators. */
import { type EffectivePolicy, POLICY_SETTING, type ScanPolicy } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { LiveSettings } from '@portcullis/events';
import type { MaintenanceRun, RescanProgress, Store } from '@portcullis/store';
import type { ScannerFacts } from '../system/service.ts';

export interface TrivyPorts {
  store: Pick<Store, 'settings' | 'maintenance' | 'rescans' | 'rematches'>;
  live: Pick<LiveSettings, 'changed'>;
  facts(): Promise<ScannerFacts>;
  policy(): Promise<EffectivePolicy>;
  scannerEnabled: boolean;
  /** Enqueues the run; a failure is safe. */
  wake(run: MaintenanceRun): Promise<void>;
}

export function createTrivyService(ports: TrivyPorts) {
  const { store, live, facts, policy, scannerEnabled, wake } = ports;

  async function override(change: Partial<ScanPolicy>): Promise<EffectivePolicy> {
    const { source: _, ...present } = await policy();
    await store.settings.set(POLICY_SETTING, { ...present, ...change });
    await live.changed();
    return policy();
  }

  async function reset(): Promise<void> {
    await store.settings.remove(POLICY_SETTING);
    await live.changed();
  }

  async function database() {
    const [scanner, update, rematch] = await Promise.all([
      facts(),
      store.maintenance.latest('scanner-db'),
      store.rematches.progress(),
    ]);
    return { scanner, update, rematch, rescans: await rescanProgress(store, scanner) };
  }

  async function update(requestedBy: string): Promise<MaintenanceRun> {
    if (!scannerEnabled) throw scannerDisabled();
    const run = await store.maintenance.request({ kind: 'scanner-db', options: {}, requestedBy });
    if (!run)
      throw conflict(
        'DATABASE_UPDATE_RUNNING',
        'The vulnerability database is being updated already.',
      );
    await wake(run);
    return run;
  }

  return { facts, policy, override, reset, database, update };
}
export type TrivyService = ReturnType<typeof createTrivyService>;

/** Null without a vulnerability database. */
export async function rescanProgress(
  { rescans }: Pick<Store, 'rescans'>,
  { db }: ScannerFacts,
): Promise<RescanProgress | null> {
  if (!db?.updatedAt) return null;
  const javaSince = db.javaDownloadedAt === null ? null : new Date(db.javaDownloadedAt);
  return rescans.progress({ dbUpdatedAt: new Date(db.updatedAt), javaSince });
}

export function scannerDisabled(): Error {
  return conflict('SCANNER_DISABLED', 'This installation runs without a scanner (TRIVY_ENABLED).');
}
