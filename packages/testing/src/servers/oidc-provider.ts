/** A real OpenID provider whose accounts, claims and invalid answers a test controls. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Configuration, Provider } from 'oidc-provider';

type OidcClaims = Record<string, unknown>;

export interface OidcProviderOptions {
  redirectUris: string[];
  postLogoutRedirectUris?: string[];
  /** Where the claims are sent; many providers keep the id_token short. */
  claimsIn?: 'id_token' | 'userinfo';
  /** To a browser, `localhost` is another site than 127.0.0.1. */
  hostname?: 'localhost' | '127.0.0.1';
}

export interface TestOidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Defines the claims of the account that logs in by this name, which is its `sub`. */
  account(name: string, claims: OidcClaims): void;
  /** Changes the next id_tokens; they are signed by the provider's key or by another one. */
  forge(
    change: ((claims: OidcClaims) => OidcClaims) | null,
    signer?: 'provider' | 'stranger',
  ): void;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const CLIENT = { id: 'portcullis', secret: 'a secret: with 100% signs' };
const CLAIMS = ['preferred_username', 'email', 'groups', 'realm_access'];

export async function startOidcProvider(options: OidcProviderOptions): Promise<TestOidcProvider> {
  const accounts = new Map<string, OidcClaims>();
  const forger = createForger();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${options.hostname ?? '127.0.0.1'}:${portOf(server)}`;
  const provider = await openProvider(issuer, configuration(options, accounts, forger.jwk));
  forger.attach(provider);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith(INTERACTION)) void interact(provider, request, response);
    else void answer(request, response);
  });

  async function stop(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  return {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    account: (name, claims) => void accounts.set(name, claims),
    forge: forger.forge,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Suppresses its warnings about unknown runtimes and plain HTTP. */
async function openProvider(issuer: string, config: Configuration): Promise<Provider> {
  const { warn, info } = console;
  Object.assign(console, { warn: () => {}, info: () => {} });
  try {
    const { default: OpenProvider } = await import('oidc-provider');
    return new OpenProvider(issuer, config);
  } finally {
    Object.assign(console, { warn, info });
  }
}

function configuration(
  options: OidcProviderOptions,
  accounts: Map<string, OidcClaims>,
  jwk: object,
): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: options.redirectUris,
        post_logout_redirect_uris: options.postLogoutRedirectUris ?? [],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['signs the cookies of a test'] },
    claims: { openid: ['sub'], profile: CLAIMS },
    conformIdTokenClaims: options.claimsIn === 'userinfo',
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource(context, form) {
          // The form is the provider's; its page asks for confirmation.
          context.body = `<!doctype html><title>Log out?</title>${form}${LOGOUT}`;
        },
      },
    },
    interactions: { url: (_, { uid }) => INTERACTION + uid },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    async findAccount(_, id) {
      const claims = accounts.get(id);
      return claims && { accountId: id, claims: async () => ({ ...claims, sub: id }) };
    },
    async loadExistingGrant({ oidc }) {
      const { client, session, provider } = oidc;
      const grant = new provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

const INTERACTION = '/interaction/';
const LOGOUT = '<button form="op.logoutForm" name="logout" value="yes">Log out</button>';
const PAGE = `<!doctype html><title>Who are you?</title>
<form method="post"><input name="name" autofocus><button name="act" value="login">Log in</button>
<button name="act" value="refuse">Refuse</button></form>`;

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET')
    return void response.setHeader('content-type', 'text/html').end(PAGE);
  const form = new URLSearchParams(await text(request));
  const result =
    form.get('act') === 'refuse'
      ? { error: 'access_denied', error_description: 'they said no' }
      : { login: { accountId: form.get('name') ?? '' } };
  await provider.interactionFinished(request, response, result);
}

/** Signs id_tokens again with changed claims. */
function createForger() {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const jwk = { ...own.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' };
  let change: ((claims: OidcClaims) => OidcClaims) | null = null;
  let key = own;

  function attach(provider: Provider): void {
    provider.use(async (context, next) => {
      await next();
      const { body } = context;
      if (change && typeof body === 'object' && body !== null && 'id_token' in body) {
        Object.assign(body, { id_token: signed(String(body.id_token), change, key) });
      }
    });
  }

  return {
    jwk,
    attach,
    forge(wanted: typeof change, signer: 'provider' | 'stranger' = 'provider') {
      change = wanted;
      key =
        signer === 'provider'
          ? own
          : generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    },
  };
}

function signed(token: string, change: (claims: OidcClaims) => OidcClaims, key: KeyObject): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = change(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  const body = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
}
