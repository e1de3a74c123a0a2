/** The operations on trust rules, and the exchange of identity tokens. */
import { ACCESS_TOKEN_TYPE, contract } from '@portcullis/contract';
import type { IdentityClaims } from '@portcullis/domain';
import type { IdentityTrust } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import type { IdentityExchange } from '../../identity/keyless/exchange.ts';
import { presentTest, presentTrust, trustOrder, trustUpdate } from './present.ts';
import type { TrustsService } from './service.ts';

export function trustsRoutes(
  service: TrustsService,
  identities: Pick<IdentityExchange, 'exchange' | 'test'>,
): Route[] {
  return implement(contract.trusts, {
    async list() {
      return (await service.list()).map(presentTrust);
    },

    async create({ body }, call) {
      const { ca_cert: _, ...rest } = body;
      call.note(rest);
      const trust = await service.create(trustOrder(body, call.principal.username));
      about(call, trust);
      return presentTrust(trust);
    },

    async update({ params, body }, call) {
      call.about({ kind: 'trust', id: params.id, name: null });
      const { ca_cert: certificate, ...rest } = body;
      call.note({ ...rest, ...(certificate !== undefined && { ca_cert: 'changed' }) });
      const trust = await service.update(params.id, trustUpdate(body));
      about(call, trust);
      return presentTrust(trust);
    },

    async remove({ params }, call) {
      call.about({ kind: 'trust', id: params.id, name: null });
      about(call, await service.remove(params.id));
    },

    async test({ body }, call) {
      const tested = await identities.test(body.token);
      call.note({ claims: identifying(tested.claims), fault: tested.fault });
      return presentTest(tested);
    },

    async exchange({ body }, call) {
      const { trust: trustName, actor_token: formerToken } = body;
      const from = { clientIp: call.clientIp, trustName, formerToken };
      const { trust, issued, token, claims } = await identities.exchange(body.subject_token, from);
      const { id, name: username } = trust.robot;
      call.actor({ id, name: username, auth: 'oidc', token_id: issued.id });
      about(call, trust);
      call.note({ claims: identifying(claims) });
      return {
        access_token: token,
        issued_token_type: ACCESS_TOKEN_TYPE,
        token_type: 'Bearer',
        expires_in: trust.minutes * 60,
        username,
      };
    },
  });
}

function about(call: ApiCall, { id, name }: IdentityTrust): void {
  call.about({ kind: 'trust', id, name });
}

/** Which pipeline it was; other claims may describe a person. */
function identifying(claims: IdentityClaims): IdentityClaims {
  return Object.fromEntries(
    ['iss', 'sub', 'jti'].flatMap((claim) =>
      typeof claims[claim] === 'string' ? [[claim, claims[claim]]] : [],
    ),
  );
}
