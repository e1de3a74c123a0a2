/**
 * An issuer of identity tokens as a CI system has: discovery, keys that rotate, and signed tokens
 * with the claims of GitHub Actions and GitLab CI.
 */
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;

interface Signing {
  /** A key that the issuer does not publish. */
  stranger?: boolean;
  algorithm?: 'RS256' | 'none' | 'HS256';
  kid?: string;
}

export interface CiIssuer {
  issuer: string;
  /** Valid for five minutes from now, unless the claims say otherwise. */
  sign(claims: Claims, how?: Signing): string;
  /** Replaces the published key. */
  rotate(): void;
  /** Answers every request with this status; null: normally. */
  fail(status: number | null): void;
  /** The paths that were requested. */
  requests: string[];
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startCiIssuer(): Promise<CiIssuer> {
  const requests: string[] = [];
  let key = makeKey();
  const stranger = makeKey();
  let failing: number | null = null;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const found = failing === null ? documentAt(request.url ?? '', issuer, key) : null;
    response
      .writeHead(failing ?? (found ? 200 : 404), { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  async function stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  return {
    issuer,
    sign(claims, { stranger: isStranger = false, algorithm = 'RS256', kid } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const times = { iat: now, nbf: now, exp: now + 300, jti: randomUUID() };
      const header = { alg: algorithm, typ: 'JWT', kid: kid ?? key.kid };
      const text = `${encode(header)}.${encode({ iss: issuer, ...times, ...claims })}`;
      const signer = isStranger ? stranger.privateKey : key.privateKey;
      const signature =
        algorithm === 'RS256' ? sign('sha256', Buffer.from(text), signer) : Buffer.alloc(32, 1);
      return `${text}.${signature.toString('base64url')}`;
    },
    rotate() {
      key = makeKey();
    },
    fail(status) {
      failing = status;
    },
    requests,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The claims of a workflow's token: docs.github.com, OpenID Connect reference. */
export function githubClaims(claims: Claims = {}): Claims {
  return {
    sub: 'repo:acme/app:ref:refs/heads/main',
    aud: 'portcullis',
    ref: 'refs/heads/main',
    sha: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15',
    repository: 'acme/app',
    repository_owner: 'acme',
    repository_owner_id: '65',
    repository_id: '74',
    repository_visibility: 'private',
    run_id: '1700000000',
    run_number: '10',
    run_attempt: '2',
    runner_environment: 'github-hosted',
    actor: 'ada',
    actor_id: '12',
    workflow: 'release',
    workflow_ref: 'acme/app/.github/workflows/release.yml@refs/heads/main',
    job_workflow_ref: 'acme/app/.github/workflows/release.yml@refs/heads/main',
    event_name: 'push',
    ref_type: 'branch',
    ref_protected: 'true',
    ...claims,
  };
}

/** The claims of a job's `id_tokens`: docs.gitlab.com, ID token payload. */
export function gitlabClaims(claims: Claims = {}): Claims {
  return {
    sub: 'project_path:acme/app:ref_type:branch:ref:main',
    aud: 'portcullis',
    namespace_id: '72',
    namespace_path: 'acme',
    project_id: '20',
    project_path: 'acme/app',
    user_id: '1',
    user_login: 'ada',
    user_email: 'ada@example.com',
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'main',
    ref_path: 'refs/heads/main',
    ref_type: 'branch',
    ref_protected: 'true',
    environment: 'production',
    ...claims,
  };
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  jwk: Claims;
}

function makeKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomUUID();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  return { kid, privateKey, jwk };
}

function documentAt(path: string, issuer: string, { jwk }: Key): object | null {
  if (path === '/.well-known/openid-configuration')
    return { issuer, jwks_uri: `${issuer}/keys`, id_token_signing_alg_values_supported: ['RS256'] };
  return path === '/keys' ? { keys: [jwk] } : null;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
