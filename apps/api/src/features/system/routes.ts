import { contract, type DependencyHealth } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import type { Probed } from './probe.ts';
import { type DependencyStates, isDegraded, type SystemService } from './service.ts';

export function systemRoutes(service: SystemService): Route[] {
  return implement(contract.system, {
    async health() {
      return {
        status: 'ok',
        version: service.version().version,
        uptime_s: Math.round(process.uptime()),
      };
    },

    async ready(_, call) {
      if (service.ready()) return { status: 'ready' };
      call.status(503);
      return { status: 'stopping' };
    },

    async dependencyHealth() {
      return { ...presentHealth(await service.dependencies()), sample_data: service.sampleData };
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

function presentHealth(health: DependencyStates): Omit<DependencyHealth, 'sample_data'> {
  const { database, redis, registry, scanner, disk } = health;
  return {
    status: isDegraded(health) ? 'degraded' : 'ok',
    dependencies: {
      database: presentProbe(database),
      redis: presentProbe(redis),
      registry: presentProbe(registry),
      scanner: presentProbe(scanner),
      disk: presentProbe(disk),
    },
  };
}

function presentProbe({
  ok,
  code,
  message,
  latencyMs,
}: Probed): DependencyHealth['dependencies']['database'] {
  return { ok, code, message, latency_ms: latencyMs };
}
