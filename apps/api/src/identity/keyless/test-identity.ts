/** Compares an identity token with the trust rules of its issuer, without using the token. */
import { accepts, audiencesOf, compareClaims, type IdentityClaims } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import type { IdentityTrust, Store } from '@portcullis/store';
import { claimedIssuer, claimsUnverified, verifyIdentity } from './identity-token.ts';
import { type IssuerKeys, issuerOfRules } from './issuer-keys.ts';

export interface TestedIdentity {
  /** The code of what is wrong with the token; null: nothing. */
  fault: string | null;
  claims: IdentityClaims;
  rules: ComparedRule[];
}

interface ComparedRule {
  trust: IdentityTrust;
  /** Whether the rule and its robot are enabled. */
  isActive: boolean;
  audienceMatches: boolean;
  conditions: ReturnType<typeof compareClaims>;
  accepts: boolean;
}

interface TestPorts {
  trusts: Pick<Store['identityTrusts'], 'list' | 'ofIssuer'>;
  keysOf: IssuerKeys;
  now: Date;
}

export async function testIdentity(token: string, ports: TestPorts): Promise<TestedIdentity> {
  const { trusts } = ports;
  const issuer = claimedIssuer(token);
  const rules = issuer === null ? [] : (await trusts.list()).filter(isOf(issuer));
  const active = new Set(issuer === null ? [] : (await trusts.ofIssuer(issuer)).map(idOf));
  const claims = claimsUnverified(token) ?? {};
  return {
    fault: issuer === null ? 'IDENTITY_TOKEN_INVALID' : await faultOf(token, rules, ports),
    claims,
    rules: rules.map((trust) => ({
      trust,
      isActive: active.has(trust.id),
      audienceMatches: audiencesOf(claims).includes(trust.audience),
      conditions: compareClaims(trust.conditions, claims),
      accepts: active.has(trust.id) && accepts(trust, claims),
    })),
  };
}

function isOf(issuer: string) {
  return (trust: IdentityTrust): boolean => trust.issuer === issuer;
}

function idOf({ id }: IdentityTrust): string {
  return id;
}

async function faultOf(
  token: string,
  rules: IdentityTrust[],
  { keysOf, now }: TestPorts,
): Promise<string | null> {
  const issuer = issuerOfRules(rules);
  if (!issuer) return 'IDENTITY_UNTRUSTED';
  try {
    await verifyIdentity(token, issuer, { keysOf, now });
    return null;
  } catch (error) {
    if (isAppError(error)) return error.code;
    throw error;
  }
}
