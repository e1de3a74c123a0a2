/** The operations on personal tokens. */
import { contract } from '@portcullis/contract';
import { implement, type Route } from '../../http/implement.ts';
import { presentToken, scopeOrder } from './present.ts';
import type { TokensService } from './service.ts';

export function tokensRoutes(service: TokensService): Route[] {
  return implement(contract.tokens, {
    async list(_, call) {
      return (await service.list(call.principal)).map(presentToken);
    },

    async create({ body }, call) {
      const { name, scope, expires_in_days: days } = body;
      call.note({ scope, expires_in_days: days });
      const order = { name, scope: scopeOrder(scope), days };
      const { made, token } = await service.create(call.principal, order);
      call.about({ kind: 'token', id: made.id, name });
      return { ...presentToken(made), token };
    },

    async remove({ params }, call) {
      call.about({ kind: 'token', id: params.id, name: null });
      const { id, name, userId } = await service.remove(call.principal, params.id);
      call.about({ kind: 'token', id, name });
      call.note({ user_id: userId });
    },
  });
}
