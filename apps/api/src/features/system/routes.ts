import { contract, type Readiness, type ScannerState } from '@portcullis/contract';
import type { EffectivePolicy } from '@portcullis/domain';
import { implement, type Route } from '../../http/implement.ts';
import type { Probed } from './probe.ts';
import type { ScannerFacts, SystemService } from './service.ts';

export function systemRoutes(service: SystemService): Route[] {
  const system = implement(contract.system, {
    async health() {
      return { status: 'ok', version: service.version().version, uptime_s: Math.round(process.uptime()) };
    },

    async ready(_, call) {
      const { ready, dependencies } = await service.ready();
      if (!ready) call.status(503);
      return presentReadiness(ready, dependencies);
    },

    async version() {
      return service.version();
    },
  });
  const trivy = implement(contract.trivy, {
    async state() {
      const [facts, policy] = await Promise.all([service.scanner(), service.policy()]);
      return presentScanner(facts, policy, new Date());
    },
  });
  return [...system, ...trivy];
}

function presentReadiness(
  ready: boolean,
  dependencies: Record<keyof Readiness['dependencies'], Probed>,
): Readiness {
  const { database, redis, registry, scanner } = dependencies;
  return {
    status: ready ? 'ready' : 'not_ready',
    dependencies: {
      database: presentProbe(database),
      redis: presentProbe(redis),
      registry: presentProbe(registry),
      scanner: presentProbe(scanner),
    },
  };
}

function presentProbe({ ok, message, latencyMs }: Probed): Readiness['dependencies']['database'] {
  return { ok, message, latency_ms: latencyMs };
}

function presentScanner(
  { enabled, available, version, db }: ScannerFacts,
  policy: EffectivePolicy,
  now: Date,
): ScannerState {
  return { enabled, available, version, db: db && presentDatabase(db, now), policy: presentPolicy(policy) };
}

function presentDatabase(
  { updatedAt, nextUpdate, source }: NonNullable<ScannerFacts['db']>,
  now: Date,
): NonNullable<ScannerState['db']> {
  const age =
    updatedAt === null ? null : Math.max(0, Math.round((now.getTime() - Date.parse(updatedAt)) / 1000));
  return { updated_at: utc(updatedAt), next_update: utc(nextUpdate), age_s: age, source };
}

/** Trivy writes nanoseconds and local offsets. */
function utc(time: string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function presentPolicy(policy: EffectivePolicy): ScannerState['policy'] {
  return {
    scan_enabled: policy.scanEnabled,
    severities: policy.severities,
    ignore_unfixed: policy.ignoreUnfixed,
    timeout_s: policy.timeoutSeconds,
    on_error: policy.onError,
    override: policy.override,
    source: policy.source,
  };
}
