/** How a provider is asked: its token endpoint, its clock, and its silence. */
import { randomBytes } from 'node:crypto';
import { createTransport } from '@portcullis/oci/remote';
import { createLogger, sealer } from '@portcullis/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { CLIENT, FLOW, startProvider } from './provider.fixture.ts';
import { createProviders } from './provider.ts';
import { OIDC_DEFAULTS, type OidcSettingsInForce } from './settings.ts';

type Change = Partial<Omit<OidcSettingsInForce, 'issuer' | 'clientId'>>;

const SEALER = sealer(randomBytes(32));
const sealedSecret = SEALER.seal(CLIENT.secret);

function loginAt(issuer: string, change: Change = {}, patienceMs?: number) {
  const transport = createTransport({ retries: 0 });
  onTestFinished(() => transport.close());
  const providers = createProviders({
    transport,
    sealer: SEALER,
    log: createLogger({ name: 'test', destination: { write() {} } }),
    now: () => Date.now(),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  const settings = { ...OIDC_DEFAULTS, issuer, clientId: CLIENT.id, sealedSecret, ...change };
  const redirectUri = 'http://127.0.0.1/api/oidc/callback';
  const flow = { ...FLOW, next: '/', redirectUri, issuer, clientId: CLIENT.id };
  return providers.identify(settings, flow, { state: 's', search: '?code=c&state=s' });
}

const BASIC = { basic: `${CLIENT.id}:${CLIENT.secret}`, post: null };
const POST = { basic: null, post: CLIENT.secret };

it.each([
  ['the provider lists none', undefined, 'auto', BASIC],
  ['it lists post first', ['client_secret_post', 'client_secret_basic'], 'auto', POST],
  ['it lists basic first', ['client_secret_basic', 'client_secret_post'], 'auto', BASIC],
  ['it lists post alone', ['private_key_jwt', 'client_secret_post'], 'auto', POST],
  ['the setting says post', ['client_secret_basic'], 'client_secret_post', POST],
  ['the setting says basic', ['client_secret_post'], 'client_secret_basic', BASIC],
] as const)('the secret is sent as wanted where %s', async (_, methods, tokenAuthMethod, sent) => {
  const provider = await startProvider({ ...(methods && { methods: [...methods] }) });
  await loginAt(provider.issuer, { tokenAuthMethod });
  expect(provider.logins).toEqual([sent]);
});

it.each([
  [55, 60, true],
  [-340, 60, true],
  [90, 60, false],
  [-400, 60, false],
  [90, 120, true],
  [5, 0, false],
])(
  'a clock %i s ahead, of which %i are tolerated, is accepted: %s',
  async (ahead, clockToleranceSeconds, isAccepted) => {
    const { issuer } = await startProvider({ ahead });
    const login = loginAt(issuer, { clockToleranceSeconds }).then(
      ({ subject }) => subject,
      (error: { code: string }) => error.code,
    );
    expect(await login).toBe(isAccepted ? 'ann' : 'OIDC_LOGIN_FAILED');
  },
);

it.each([['/.well-known/openid-configuration'], ['/token'], ['/keys']])(
  'a provider that is silent at %s is unavailable',
  async (path) => {
    const { issuer } = await startProvider({ silent: [path] });
    await expect(loginAt(issuer, {}, 300)).rejects.toMatchObject({
      code: 'OIDC_PROVIDER_UNAVAILABLE',
    });
  },
);

it('a source of groups that is silent does not hold the login: the groups are overage', async () => {
  const claims: Record<string, unknown> = { _claim_names: { groups: 's' } };
  const provider = await startProvider({ silent: ['/groups'], claims });
  claims._claim_sources = { s: { endpoint: `${provider.issuer}/groups` } };
  const found = await loginAt(provider.issuer, { adminGroups: ['chiefs'] }, 300);
  expect(provider.requests).toContain('/groups');
  expect(found.claims.groups).toBeUndefined();
});
