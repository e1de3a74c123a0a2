/** Trust rules in the form of the REST API. */
import { fromWire, NewTrustRule, TrustRuleChange } from '@portcullis/contract';
import { audiencesOf } from '@portcullis/domain';
import type { IdentityTrust, IdentityTrustUpdate, NewIdentityTrust } from '@portcullis/store';
import type { TestedIdentity } from '../../identity/keyless/test-identity.ts';
import { presentScope, scopeOrder } from '../tokens/present.ts';

export function presentTrust(trust: IdentityTrust) {
  return { ...trust, scope: presentScope(trust.scope) };
}

export function trustOrder(body: NewTrustRule, createdBy: string): NewIdentityTrust {
  const { scope, ...rest } = fromWire(NewTrustRule, body);
  return { ...rest, scope: scopeOrder(scope), createdBy };
}

export function trustUpdate(body: TrustRuleChange): IdentityTrustUpdate {
  const { scope, ...rest } = fromWire(TrustRuleChange, body);
  return { ...rest, ...(scope !== undefined && { scope: scopeOrder(scope) }) };
}

/** Claims that are no plain values are shown as JSON. */
export function presentTest({ fault, claims, rules }: TestedIdentity) {
  const { iss } = claims;
  return {
    fault,
    issuer: typeof iss === 'string' ? iss : null,
    audiences: audiencesOf(claims),
    claims: Object.fromEntries(
      Object.entries(claims).map(([claim, value]) => [
        claim,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
    rules: rules.map(({ trust: { id, name }, isActive, accepts, ...compared }) => ({
      ...{ ...compared, id, name, enabled: isActive },
      accepts: accepts && fault === null,
    })),
  };
}
