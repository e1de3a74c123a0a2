/** Trust rules in the form of the REST API. */
import type { NewTrustRule, TrustRuleChange, TrustRuleView, TrustTest } from '@portcullis/contract';
import { audiencesOf } from '@portcullis/domain';
import type { IdentityTrust, IdentityTrustUpdate, NewIdentityTrust } from '@portcullis/store';
import type { TestedIdentity } from '../../identity/keyless/test-identity.ts';
import { presentScope, scopeOrder } from '../tokens/present.ts';

export function presentTrust(trust: IdentityTrust): TrustRuleView {
  return {
    id: trust.id,
    name: trust.name,
    issuer: trust.issuer,
    audience: trust.audience,
    conditions: plainConditions(trust),
    robot: trust.robot,
    scope: presentScope(trust.scope),
    minutes: trust.minutes,
    ca_cert: trust.caCert,
    enabled: trust.enabled,
    created_by: trust.createdBy,
    created_at: trust.createdAt.toISOString(),
    last_used_at: trust.lastUsedAt?.toISOString() ?? null,
  };
}

function plainConditions({ conditions }: IdentityTrust): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(conditions).map(([claim, patterns]) => [claim, [...patterns]]),
  );
}

export function trustOrder(body: NewTrustRule, createdBy: string): NewIdentityTrust {
  const { robot_id: robotId, ca_cert: caCert, scope, ...rest } = body;
  return { ...rest, robotId, caCert, scope: scopeOrder(scope), createdBy };
}

export function trustUpdate(body: TrustRuleChange): IdentityTrustUpdate {
  const { robot_id: robotId, ca_cert: caCert, scope, ...rest } = body;
  const change = { ...rest, robotId, caCert, scope: scope && scopeOrder(scope) };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

/** Claims that are no plain values are shown as JSON. */
export function presentTest({ fault, claims, rules }: TestedIdentity): TrustTest {
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
    rules: rules.map(({ trust, isActive, audienceMatches, conditions, accepts }) => ({
      id: trust.id,
      name: trust.name,
      accepts: accepts && fault === null,
      enabled: isActive,
      audience_matches: audienceMatches,
      conditions: conditions.map((compared) => ({
        ...compared,
        patterns: [...compared.patterns],
      })),
    })),
  };
}
