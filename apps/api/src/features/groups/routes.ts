/** Serves groups and their members. */
import { contract, type NewMember } from '@portcullis/contract';
import type { Group } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { AccountName, GroupService } from './service.ts';

export function groupRoutes(service: GroupService): Route[] {
  return implement(contract.groups, {
    async listGroups({ query }, call) {
      const page = await service.list(query);
      announcePage(call, page);
      return page.items;
    },

    async createGroup({ body }, call) {
      call.note({ name: body.name });
      const group = await service.create(body);
      call.header('Location', `/api/groups/${group.id}`);
      return about(call, group);
    },

    getGroup: ({ params }) => service.get(params.id),

    async updateGroup({ params, body }, call) {
      call.about({ kind: 'group', id: params.id, name: null });
      return about(call, await service.update(params.id, body));
    },

    async removeGroup({ params }, call) {
      call.about({ kind: 'group', id: params.id, name: null });
      about(call, await service.remove(params.id));
    },

    async addMember({ params, body }, call) {
      call.about({ kind: 'group', id: params.id, name: null });
      call.note({ member: body.username ?? body.user_id });
      return about(call, await service.addMember(params.id, accountName(body)));
    },

    async removeMember({ params }, call) {
      call.about({ kind: 'group', id: params.id, name: null });
      call.note({ member: params.user_id });
      about(call, await service.removeMember(params.id, params.user_id));
    },
  });
}

function about(call: ApiCall, group: Group): Group {
  call.about({ kind: 'group', id: group.id, name: group.name });
  return group;
}

function accountName({ username, user_id: userId = '' }: NewMember): AccountName {
  return username === undefined ? { userId } : { username };
}
