/** The connection test: reports each step in words, without secrets. */
import * as client from 'openid-client';
import { type Providers, reasonOf } from './provider.ts';
import { isSecure, type OidcSettingsInForce, type Usable, usable } from './settings.ts';

export interface Step {
  name: string;
  ok: boolean;
  detail: string;
}

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
): Promise<Step[]> {
  const ready = usable({ ...settings, enabled: true });
  if (!ready) return [step('settings', false, whatIsMissing(settings))];
  const steps = [step('settings', true, `${ready.issuer}, as ${ready.clientId}`)];
  const found = await around.providers
    .discover(ready)
    .catch((error: unknown) => new Undiscovered(error));
  if (found instanceof Undiscovered) return [...steps, ...found.steps(ready)];
  const server = found.serverMetadata();
  return [
    ...steps,
    step('discovery', true, 'The provider describes itself.'),
    step('issuer', true, `The provider names itself ${server.issuer}`),
    endpoints(server, ready),
    await keys(server, ready, around),
    pkce(server),
    await credentials(found, around.redirectUri),
    step('redirect_uri', true, `Register this address with the provider: ${around.redirectUri}`),
    logout(server, around.redirectUri),
    mappedGroups(ready, around.groups),
  ];
}

function step(name: string, ok: boolean, detail: string): Step {
  return { name, ok, detail };
}

function whatIsMissing(settings: OidcSettingsInForce): string {
  if (settings.issuer === null) return 'The issuer is missing.';
  if (settings.clientId === null) return 'The client id is missing.';
  return isSecure(settings) ? '' : 'The issuer has to be https, unless plain HTTP is allowed.';
}

const ISSUER_DIFFERS = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

class Undiscovered {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
  steps({ issuer }: Usable): Step[] {
    const differs =
      this.reason instanceof client.ClientError && this.reason.code === ISSUER_DIFFERS;
    if (!differs)
      return [step('discovery', false, `The provider can not be asked: ${reasonOf(this.reason)}`)];
    const detail = `The provider gives itself another name than ${issuer}; a slash at the end counts, too.`;
    return [
      step('discovery', true, 'The provider describes itself.'),
      step('issuer', false, detail),
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

function endpoints(server: Metadata, { issuer }: Usable): Step {
  const missing = ENDPOINTS.slice(0, 3).filter((name) => server[name] === undefined);
  const plain = ENDPOINTS.filter((name) => server[name]?.startsWith('http:'));
  if (missing.length > 0)
    return step('endpoints', false, `The provider does not say its ${missing.join(', ')}.`);
  if (plain.length === 0) return step('endpoints', true, 'All of them are https.');
  const allowed = issuer.startsWith('http:');
  return step(
    'endpoints',
    allowed,
    `Without TLS: ${plain.join(', ')}.${allowed ? ' The settings allow it.' : ''}`,
  );
}

async function keys(server: Metadata, settings: Usable, { providers }: Around): Promise<Step> {
  try {
    const count = await providers.countKeys(settings, server.jwks_uri ?? '');
    return step(
      'keys',
      count > 0,
      count > 0 ? `${count} signing keys.` : 'The provider publishes no keys.',
    );
  } catch (error) {
    return step('keys', false, `The provider’s keys can not be read: ${reasonOf(error)}`);
  }
}

function pkce({ code_challenge_methods_supported: methods }: Metadata): Step {
  if (methods?.includes('S256')) return step('pkce', true, 'The provider supports S256.');
  if (methods === undefined)
    return step('pkce', true, 'The provider does not say; it is sent all the same.');
  return step('pkce', false, `The provider supports ${methods.join(', ')}, but not S256.`);
}

/**
 * Sends an invalid code: a provider that accepts the client refuses the code, otherwise it refuses
 * the client.
 */
async function credentials(found: client.Configuration, redirectUri: string): Promise<Step> {
  const parameters = {
    code: 'connection-test',
    redirect_uri: redirectUri,
    code_verifier: client.randomPKCECodeVerifier(),
  };
  const answer = await client.genericGrantRequest(found, 'authorization_code', parameters).then(
    () => null,
    (error: unknown) => error,
  );
  if (answer instanceof client.ResponseBodyError && answer.error === 'invalid_grant') {
    return step('client', true, 'The provider knows the client and takes its secret.');
  }
  if (isRefusal(answer))
    return step('client', false, 'The provider refuses the client id or its secret.');
  return step(
    'client',
    false,
    `It is unknown whether the provider accepts the client: ${reasonOf(answer)}`,
  );
}

function isRefusal(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError) return true;
  return (
    error instanceof client.ResponseBodyError &&
    /^(?:invalid|unauthorized)_client$/.test(error.error)
  );
}

function logout({ end_session_endpoint: endpoint }: Metadata, redirectUri: string): Step {
  const back = new URL('/login', redirectUri).href;
  return step(
    'logout',
    true,
    endpoint === undefined
      ? 'The provider has no logout; one is logged out here alone.'
      : `Register this address with the provider for after the logout: ${back}`,
  );
}

function mappedGroups({ groupMapping }: Usable, groups: string[]): Step {
  const missing = groupMapping.map(({ group }) => group).filter((name) => !groups.includes(name));
  if (missing.length > 0)
    return step('groups', false, `There are no such groups here: ${missing.join(', ')}.`);
  return step(
    'groups',
    true,
    groupMapping.length === 0 ? 'None are mapped.' : 'All mapped groups are here.',
  );
}
