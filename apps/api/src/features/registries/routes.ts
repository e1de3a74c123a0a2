import { contract } from '@portcullis/contract';
import type { Call } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { presentCheck, presentRegistry, registryChange, registryOrder, registryProbe } from './present.ts';
import type { RegistriesService, ShownRegistry } from './service.ts';

export function registryRoutes(service: RegistriesService): Route[] {
  return implement(contract.registries, {
    async listRegistries({ query }, call) {
      return (await service.list(call.principal, query.include_system)).map(presentRegistry);
    },

    async createRegistry({ body }, call) {
      call.note({ name: body.name, host: body.host });
      return told(call, await service.create(call.principal, registryOrder(body)));
    },

    async getRegistry({ params }, call) {
      return presentRegistry(await service.get(call.principal, params.id));
    },

    async updateRegistry({ params, body }, call) {
      call.about({ kind: 'registry', id: params.id, name: null });
      call.note({ changed: Object.keys(body) });
      return told(call, await service.update(call.principal, params.id, registryChange(body)));
    },

    async removeRegistry({ params }, call) {
      call.about({ kind: 'registry', id: params.id, name: null });
      await service.remove(call.principal, params.id);
    },

    async probeRegistry({ body }, call) {
      call.note({ host: body.host });
      return presentCheck(await service.probe(call.principal, registryProbe(body)));
    },

    async checkRegistry({ params }, call) {
      call.about({ kind: 'registry', id: params.id, name: null });
      return presentCheck(await service.check(call.principal, params.id));
    },
  });
}

function told(call: Call, registry: ShownRegistry) {
  call.about({ kind: 'registry', id: registry.id, name: registry.name });
  return presentRegistry(registry);
}
