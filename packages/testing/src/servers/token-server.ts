/**
 * A token service for distribution's `auth.token`:
 * https://distribution.github.io/distribution/spec/auth/jwt/
 */
import { randomUUID, sign } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Certificate, makeCertificate } from '../content/certificate.ts';

export interface TokenServerOptions {
  username: string;
  password: string;
  /** Enables https. */
  certificate: Certificate | undefined;
}

export interface TokenServer {
  auth: { realm: string; service: string; issuer: string };
  /** The issuer's certificate, PEM. */
  certificate: string;
  stop(): Promise<void>;
}

const SERVICE = 'registry.test';
const ISSUER = 'tokens.test';

export async function startTokenServer({
  certificate,
  ...account
}: TokenServerOptions): Promise<TokenServer> {
  const issuer = certificate ?? makeCertificate();
  const expected = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
  function serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="tokens"' }).end();
      return;
    }
    const { searchParams } = new URL(request.url ?? '/', 'http://here.invalid');
    const token = tokenFor(account.username, searchParams.getAll('scope'), issuer);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ token, expires_in: 300 }));
  }
  const server = certificate
    ? createHttps({ cert: certificate.certificate, key: certificate.key }, serve)
    : createHttp(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const realm = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/token`;
  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }
  return {
    auth: { realm, service: SERVICE, issuer: ISSUER },
    certificate: issuer.certificate,
    stop,
  };
}

function tokenFor(subject: string, scopes: string[], { certificate, key }: Certificate): string {
  const now = Math.floor(Date.now() / 1000);
  const header = {
    typ: 'JWT',
    alg: 'ES256',
    x5c: [certificate.replaceAll(/-----[^-]+-----|\s/g, '')],
  };
  const claims = {
    iss: ISSUER,
    sub: subject,
    aud: SERVICE,
    iat: now,
    nbf: now - 10,
    exp: now + 300,
    jti: randomUUID(),
    access: scopes.flatMap((scope) => scope.split(' ')).map(accessOf),
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** `repository:team/app:pull,push`: every requested scope is granted. */
function accessOf(scope: string) {
  const [type = '', ...rest] = scope.split(':');
  const actions = rest.pop() ?? '';
  return { type, name: rest.join(':'), actions: actions.split(',') };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
