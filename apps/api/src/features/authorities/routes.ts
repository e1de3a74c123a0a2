/** Serves authorities. */
import { contract } from '@portcullis/contract';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { noteOf, presentAuthority, presentDetail } from './present.ts';
import type { AuthoritiesService } from './service.ts';

export function authorityRoutes(service: AuthoritiesService): Route[] {
  return implement(contract.authorities, {
    async listAuthorities(_, { principal }) {
      const shown = await service.list(principal);
      return { items: shown.map(presentAuthority), sigstoreRoot: service.root() };
    },

    async createAuthority({ body }, call) {
      about(call, body.name);
      const stored = await service.create(call.principal, body);
      call.note(noteOf(stored));
      call.header('Location', `/api/authorities/${stored.name}`);
      return presentAuthority({ stored, usedBy: [] });
    },

    async checkAuthority({ body }) {
      return { errors: service.check(body) };
    },

    async getAuthority({ params }, call) {
      const { shown, versions } = await service.get(call.principal, params.name);
      return presentDetail(shown, versions);
    },

    async replaceAuthority({ params: { name }, body }, call) {
      about(call, name);
      call.note(noteOf(await service.replace(call.principal, name, body)));
      return presentAuthority((await service.get(call.principal, name)).shown);
    },

    async removeAuthority({ params: { name } }, call) {
      about(call, name);
      call.note(noteOf(await service.remove(name)));
    },
  });
}

function about(call: ApiCall, name: string): void {
  call.about({ kind: 'authority', id: name, name });
}
