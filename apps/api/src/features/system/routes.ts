import { contract, type Readiness } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import type { Probed } from './probe.ts';
import type { SystemService } from './service.ts';

export function systemRoutes(service: SystemService): Route[] {
  return implement(contract.system, {
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

    async latestVersion() {
      const { version, release, newer } = await service.latestVersion();
      const { version: latest = null, url = null, publishedAt = null } = release ?? {};
      return { version, latest, newer, url, published_at: publishedAt };
    },
  });
}

function presentReadiness(
  ready: boolean,
  dependencies: Record<keyof Readiness['dependencies'], Probed>,
): Readiness {
  const { database, redis, registry, scanner, disk } = dependencies;
  return {
    status: ready ? 'ready' : 'not_ready',
    dependencies: {
      database: presentProbe(database),
      redis: presentProbe(redis),
      registry: presentProbe(registry),
      scanner: presentProbe(scanner),
      disk: presentProbe(disk),
    },
  };
}

function presentProbe({ ok, message, latencyMs }: Probed): Readiness['dependencies']['database'] {
  return { ok, message, latency_ms: latencyMs };
}
