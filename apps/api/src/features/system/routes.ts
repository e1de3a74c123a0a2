import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import { isDegraded, type SystemService } from './service.ts';

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
      const dependencies = await service.dependencies();
      const status = isDegraded(dependencies) ? 'degraded' : 'ok';
      return { status, dependencies, sampleData: service.sampleData };
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
