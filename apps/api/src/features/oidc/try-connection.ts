/** The connection test: reports each step by a code and in words, without secrets. */
import type { OidcTestCode, OidcTestStep } from '@portcullis/contract';
import { isAppError } from '@portcullis/errors';
import * as client from 'openid-client';
import { needsGroups } from './claims.ts';
import { type Providers, reasonOf } from './provider.ts';
import { type OidcSettingsInForce, type Usable, usable } from './settings.ts';
import { STEP_DETAILS, type StepParams } from './step-details.ts';

interface Around {
  providers: Pick<Providers, 'discover' | 'countKeys'>;
  redirectUri: string;
  /** The mapped groups that exist here. */
  groups: string[];
}

type Metadata = client.ServerMetadata;

export async function tryConnection(
  settings: OidcSettingsInForce,
  around: Around,
): Promise<OidcTestStep[]> {
  const ready = usable({ ...settings, enabled: true });
  if (!ready) return [step('settings', false, whatIsMissing(settings), {})];
  const { issuer, clientId } = ready;
  const steps = [step('settings', true, 'SETTINGS_COMPLETE', { issuer, client_id: clientId })];
  const found = await around.providers
    .discover(ready)
    .catch((error: unknown) => new Undiscovered(error));
  if (found instanceof Undiscovered) return [...steps, ...found.steps(ready)];
  const server = found.serverMetadata();
  return [
    ...steps,
    step('discovery', true, 'PROVIDER_DISCOVERED', {}),
    step('issuer', true, 'ISSUER_MATCHES', { issuer: server.issuer }),
    endpoints(server, ready),
    await keys(server, ready, around),
    pkce(server),
    await credentials(found, around.redirectUri),
    step('redirect_uri', true, 'REDIRECT_URI', { uri: around.redirectUri }),
    logout(server, around.redirectUri),
    groupsClaim(server, ready),
    mappedGroups(ready, around.groups),
  ];
}

function step<C extends OidcTestCode>(
  name: OidcTestStep['name'],
  ok: boolean,
  code: C,
  params: StepParams<C>,
): OidcTestStep {
  return { name, ok, code, params: { ...params }, detail: STEP_DETAILS[code](params) };
}

function failed(
  name: OidcTestStep['name'],
  code: 'DISCOVERY_FAILED' | 'KEYS_UNREADABLE' | 'CLIENT_UNKNOWN',
  error: unknown,
): OidcTestStep {
  return step(name, false, code, { fault: faultOf(error), reason: reasonOf(error) });
}

/** The code where we could not connect, or refused to; empty for faults of the provider. */
function faultOf(error: unknown): string {
  const cause = error instanceof client.ClientError ? error.cause : error;
  return isAppError(cause) ? cause.code : '';
}

function whatIsMissing({ issuer, clientId }: OidcSettingsInForce) {
  if (issuer === null) return 'ISSUER_MISSING';
  return clientId === null ? 'CLIENT_ID_MISSING' : 'ISSUER_NOT_HTTPS';
}

const ISSUER_DIFFERS = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

class Undiscovered {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
  steps({ issuer }: Usable): OidcTestStep[] {
    const differs =
      this.reason instanceof client.ClientError && this.reason.code === ISSUER_DIFFERS;
    if (!differs) return [failed('discovery', 'DISCOVERY_FAILED', this.reason)];
    return [
      step('discovery', true, 'PROVIDER_DISCOVERED', {}),
      step('issuer', false, 'ISSUER_DIFFERS', { issuer }),
    ];
  }
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'end_session_endpoint',
] as const;

function endpoints(server: Metadata, { issuer }: Usable): OidcTestStep {
  const missing = ENDPOINTS.slice(0, 3).filter((name) => server[name] === undefined);
  const plain = ENDPOINTS.filter((name) => server[name]?.startsWith('http:'));
  if (missing.length > 0)
    return step('endpoints', false, 'ENDPOINTS_MISSING', { endpoints: missing.join(', ') });
  if (plain.length === 0) return step('endpoints', true, 'ENDPOINTS_HTTPS', {});
  const params = { endpoints: plain.join(', ') };
  return issuer.startsWith('http:')
    ? step('endpoints', true, 'ENDPOINTS_WITHOUT_TLS_ALLOWED', params)
    : step('endpoints', false, 'ENDPOINTS_WITHOUT_TLS', params);
}

async function keys(
  server: Metadata,
  settings: Usable,
  { providers }: Around,
): Promise<OidcTestStep> {
  try {
    const count = await providers.countKeys(settings, server.jwks_uri ?? '');
    return count > 0
      ? step('keys', true, 'KEYS_FOUND', { count })
      : step('keys', false, 'KEYS_MISSING', {});
  } catch (error) {
    return failed('keys', 'KEYS_UNREADABLE', error);
  }
}

function pkce({ code_challenge_methods_supported: methods }: Metadata): OidcTestStep {
  if (methods?.includes('S256')) return step('pkce', true, 'PKCE_SUPPORTED', {});
  if (methods === undefined) return step('pkce', true, 'PKCE_UNKNOWN', {});
  return step('pkce', false, 'PKCE_UNSUPPORTED', { methods: methods.join(', ') });
}

/**
 * Sends an invalid code: a provider that accepts the client refuses the code, otherwise it refuses
 * the client.
 */
async function credentials(
  found: client.Configuration,
  redirectUri: string,
): Promise<OidcTestStep> {
  const parameters = {
    code: 'connection-test',
    redirect_uri: redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  };
  const answer = await client.genericGrantRequest(found, 'authorization_code', parameters).then(
    () => null,
    (error: unknown) => error,
  );
  if (answer instanceof client.ResponseBodyError && answer.error === 'invalid_grant')
    return step('client', true, 'CLIENT_ACCEPTED', {});
  return isRefusal(answer)
    ? step('client', false, 'CLIENT_REFUSED', {})
    : failed('client', 'CLIENT_UNKNOWN', answer);
}

function isRefusal(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError) return true;
  return (
    error instanceof client.ResponseBodyError &&
    /^(?:invalid|unauthorized)_client$/.test(error.error)
  );
}

function logout({ end_session_endpoint: endpoint }: Metadata, redirectUri: string): OidcTestStep {
  return endpoint === undefined
    ? step('logout', true, 'LOGOUT_UNSUPPORTED', {})
    : step('logout', true, 'LOGOUT_URI', { uri: new URL('/login', redirectUri).href });
}

/**
 * How the groups will arrive, as far as the provider says it. Providers send claims and accept
 * scopes that they don't list, so what is missing from a list is no fault.
 */
export function groupsClaim(
  { claims_supported: claims, scopes_supported: scopes }: Metadata,
  settings: Usable,
): OidcTestStep {
  if (!needsGroups(settings)) return step('groups_claim', true, 'GROUPS_UNUSED', {});
  const claim = settings.groupsClaim;
  const scope = scopes?.find((each) => isPartOf(each, claim) && !settings.scopes.includes(each));
  if (scope !== undefined)
    return step('groups_claim', true, 'GROUPS_SCOPE_UNREQUESTED', { claim, scope });
  if (claims === undefined) return step('groups_claim', true, 'GROUPS_CLAIM_UNKNOWN', { claim });
  return claims.some((each) => isPartOf(each, claim))
    ? step('groups_claim', true, 'GROUPS_CLAIM_LISTED', { claim })
    : step('groups_claim', true, 'GROUPS_CLAIM_UNLISTED', { claim });
}

/** The whole claim, or the beginning of its path. */
function isPartOf(name: string, claim: string): boolean {
  return claim === name || claim.startsWith(`${name}.`);
}

function mappedGroups({ groupMapping }: Usable, groups: string[]): OidcTestStep {
  const missing = groupMapping.map(({ group }) => group).filter((name) => !groups.includes(name));
  if (missing.length > 0)
    return step('groups', false, 'GROUPS_MISSING', { groups: missing.join(', ') });
  return groupMapping.length === 0
    ? step('groups', true, 'GROUPS_UNMAPPED', {})
    : step('groups', true, 'GROUPS_FOUND', {});
}
