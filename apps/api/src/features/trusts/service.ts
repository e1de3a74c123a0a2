/** Trust rules for the identity tokens of CI systems, managed by administrators. */
import { fieldFault } from '@portcullis/contract';
import { notFound } from '@portcullis/errors';
import type {
  IdentityTrust,
  IdentityTrustUpdate,
  NewIdentityTrust,
  Store,
} from '@portcullis/store';
import { fieldsInvalid } from '../../http/problem.ts';
import { checkedCertificate } from '../registries/certificate.ts';

export function createTrustsService({ identityTrusts }: Pick<Store, 'identityTrusts'>) {
  async function create(order: NewIdentityTrust): Promise<IdentityTrust> {
    checkedIssuer(order.issuer);
    checkedCertificate(order.caCert);
    return identityTrusts.insert(order);
  }

  async function update(id: string, change: IdentityTrustUpdate): Promise<IdentityTrust> {
    if (change.issuer !== undefined) checkedIssuer(change.issuer);
    checkedCertificate(change.caCert);
    return identityTrusts.update(id, change);
  }

  async function remove(id: string): Promise<IdentityTrust> {
    const trust = await identityTrusts.find(id);
    if (!trust) throw notFound('TRUST_UNKNOWN', 'There is no trust rule with this id.');
    await identityTrusts.remove(id);
    return trust;
  }

  return { list: identityTrusts.list, create, update, remove };
}
export type TrustsService = ReturnType<typeof createTrustsService>;

/** Over plain HTTP an attacker could forge keys. */
function checkedIssuer(issuer: string): void {
  const url = URL.parse(issuer);
  if (url?.protocol === 'https:' || LOOPBACK.test(url?.hostname ?? '')) return;
  throw fieldsInvalid([fieldFault('issuer', 'ISSUER_NOT_HTTPS', 'An issuer needs HTTPS.')]);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
