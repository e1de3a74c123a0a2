/** For tests only: a provider whose clock, token endpoint and silence the test chooses. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Habits {
  /** `token_endpoint_auth_methods_supported`. */
  methods?: string[];
  /** Seconds by which the provider's clock is ahead of ours. */
  ahead?: number;
  /** Claims beside those of a login. */
  claims?: Record<string, unknown>;
  /** Paths whose requests are never answered. */
  silent?: string[];
}

export interface ChosenProvider {
  issuer: string;
  /** How the secret arrived at the token endpoint. */
  logins: { basic: string | null; post: string | null }[];
  requests: string[];
}

export const FLOW = { nonce: 'a-nonce', verifier: 'v'.repeat(43) };
export const CLIENT = { id: 'portcullis', secret: 's3cret' };
const LIFETIME_SECONDS = 300;

export async function startProvider(habits: Habits = {}): Promise<ChosenProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const started: ChosenProvider = { issuer: '', logins: [], requests: [] };

  function documentAt(path: string): unknown {
    const { issuer } = started;
    if (path === '/keys')
      return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] };
    if (path === '/token')
      return { access_token: 'a', token_type: 'Bearer', id_token: idToken(issuer) };
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(habits.methods && { token_endpoint_auth_methods_supported: habits.methods }),
    };
  }

  function idToken(iss: string): string {
    const now = Math.floor(Date.now() / 1000) + (habits.ahead ?? 0);
    const times = { iat: now, nbf: now, exp: now + LIFETIME_SECONDS };
    const claims = { iss, aud: CLIENT.id, sub: 'ann', nonce: FLOW.nonce, ...times };
    const content = { ...claims, preferred_username: 'ann', ...habits.claims };
    const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(content)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    started.requests.push(path);
    if (path === '/token') started.logins.push(await loginIn(request));
    if (habits.silent?.includes(path)) return;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(documentAt(path)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  started.issuer = `http://127.0.0.1:${port}`;
  return started;
}

async function loginIn(request: IncomingMessage) {
  const form = new URLSearchParams(await text(request));
  const [, basic] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  return {
    basic: basic === undefined ? null : Buffer.from(basic, 'base64').toString(),
    post: form.get('client_secret'),
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
