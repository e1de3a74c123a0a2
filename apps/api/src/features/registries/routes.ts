/** Serves saved registries and their connection tests. */
import { changedValues, contract } from '@portcullis/contract';
import type { Principal } from '@portcullis/domain';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { presentRegistry, registryChange, registryOrder, registryProbe } from './present.ts';
import type { RegistriesService, ShownRegistry } from './service.ts';

export function registryRoutes(service: RegistriesService): Route[] {
  return implement(contract.registries, {
    async listRegistries({ query }, call) {
      return (await service.list(call.principal, query.include_system)).map(presentRegistry);
    },

    async createRegistry({ body }, call) {
      call.note({ name: body.name, host: body.host, policy_id: body.policy_id ?? null });
      return presentNoted(call, await service.create(call.principal, registryOrder(body)));
    },

    async getRegistry({ params }, call) {
      return presentRegistry(await service.get(call.principal, params.id));
    },

    async updateRegistry({ params, body }, call) {
      const { policyId } = await aboutSaved(call, service, params.id);
      call.note({ changed: Object.keys(body) });
      const saved = await service.update(call.principal, params.id, registryChange(body));
      call.note(changedValues({ policy_id: policyId }, { policy_id: saved.policyId }));
      return presentNoted(call, saved);
    },

    async removeRegistry({ params }, call) {
      await aboutSaved(call, service, params.id);
      await service.remove(call.principal, params.id);
    },

    async probeRegistry({ body }, call) {
      call.about({ kind: 'registry', id: null, name: body.host });
      call.note({ host: body.host });
      return service.probe(call.principal, registryProbe(body));
    },

    async checkRegistry({ params }, call) {
      await aboutSaved(call, service, params.id);
      return service.check(call.principal, params.id);
    },
  });
}

/** Records the name, because the id is meaningless after the deletion. */
async function aboutSaved(
  call: ApiCall<Principal>,
  service: RegistriesService,
  id: string,
): Promise<ShownRegistry> {
  call.about({ kind: 'registry', id, name: null });
  const registry = await service.get(call.principal, id);
  call.about({ kind: 'registry', id, name: registry.name });
  call.note({ host: registry.host });
  return registry;
}

function presentNoted(call: ApiCall, registry: ShownRegistry) {
  call.about({ kind: 'registry', id: registry.id, name: registry.name });
  return presentRegistry(registry);
}
