/** Serves accounts to administrators. */
import { contract, fromWire, NewUser, UserChange } from '@portcullis/contract';
import type { User } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { UsersService } from './service.ts';

export function usersRoutes(service: UsersService): Route[] {
  return implement(contract.users, {
    async list({ query: { sort: order, ...query } }, call) {
      const page = await service.list({ ...query, order });
      announcePage(call, page);
      return page.items;
    },

    async create({ body }, call) {
      call.note({ username: body.username, is_admin: body.is_admin });
      const user = await service.create(fromWire(NewUser, body));
      about(call, user);
      call.header('Location', `/api/auth/users/${user.id}`);
      return user;
    },

    get: ({ params }) => service.get(params.id),

    async update({ params, body }, call) {
      call.about({ kind: 'user', id: params.id, name: null });
      // Records the names of fields and the flags, never a password.
      const { password, ...flags } = body;
      call.note({ ...flags, ...(password !== undefined && { password: 'changed' }) });
      const user = await service.update(params.id, fromWire(UserChange, body), call.principal);
      about(call, user);
      return user;
    },

    async remove({ params }, call) {
      call.about({ kind: 'user', id: params.id, name: null });
      const { user, jobs } = await service.remove(params.id);
      about(call, user);
      call.note({ jobs });
    },
  });
}

function about(call: ApiCall, { id, username }: User): void {
  call.about({ kind: 'user', id, name: username });
}
