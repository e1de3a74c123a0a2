/** `pcs login --oidc` against the product, with identity tokens of GitHub Actions and GitLab CI. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  type CiIssuer,
  githubClaims,
  gitlabClaims,
  startCiIssuer,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, logIn, type Product, startProduct } from '../support/product.ts';
import { bundlePcs, type Pcs } from './bundled.ts';

const PASSWORD = 'a long enough password';

let dir: TemporaryDir;
let product: Product;
let issuer: CiIssuer;
let runner: Server;
let pcs: Pcs;

beforeAll(async () => {
  [dir, issuer] = await Promise.all([temporaryDir(), startCiIssuer()]);
  product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_ENABLED: 'false',
    EGRESS_ALLOW: '127.0.0.1',
  });
  ({ pcs } = await bundlePcs(dir.path));
  runner = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://runner.invalid');
    const isAllowed = request.headers.authorization === 'Bearer request-token';
    const aud = searchParams.get('audience');
    response
      .writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify(isAllowed ? { value: issuer.sign(githubClaims({ aud })) } : {}));
  });
  await new Promise<void>((resolve) => runner.listen(0, '127.0.0.1', resolve));
  const admin = await logIn(product, 'admin', PASSWORD);
  const robot = await bodyOf(admin('POST', '/api/robots', { name: 'acme-ci' }));
  const rule = {
    issuer: issuer.issuer,
    robot_id: robot.id,
    scope: { api: true, actions: ['pull'] },
  };
  await admin('POST', '/api/trusts', {
    ...rule,
    name: 'github',
    audience: new URL(product.url).origin,
    conditions: { repository: ['acme/app'], ref: ['refs/heads/main'] },
  });
  await admin('POST', '/api/trusts', {
    ...rule,
    name: 'gitlab',
    audience: 'portcullis',
    conditions: { project_path: ['acme/app'] },
  });
});

afterAll(async () => {
  await product?.stop();
  await issuer?.stop();
  runner?.close();
  await dir?.remove();
});

function runnerEnv(token = 'request-token') {
  // A server that listens on a port has an address of this kind.
  const { port } = runner.address() as AddressInfo;
  return {
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
  };
}

const login = (env: Record<string, string>) => pcs(['login', product.url, '--oidc'], { env });

it('asks GitHub for a token for this address, and logs in as the robot', async () => {
  const done = await login(runnerEnv());
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toContain('as acme-ci until');
  const gated = await pcs(['gate', 'team/app:1.0']);
  expect(gated.err).toContain('FOLDER_FORBIDDEN');
});

it('takes the token that GitLab puts into the environment, once', async () => {
  const env = { PORTCULLIS_ID_TOKEN: issuer.sign(gitlabClaims()) };
  expect(await login(env)).toMatchObject({ code: 0 });
  const again = await login(env);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('IDENTITY_TOKEN_REPLAYED')]);
});

it.each([
  ['GitHub issues none', () => runnerEnv('other'), 'IDENTITY_UNAVAILABLE'],
  ['there is none', () => ({}), 'IDENTITY_MISSING'],
  [
    'no rule accepts it',
    () => ({ PORTCULLIS_ID_TOKEN: issuer.sign(gitlabClaims({ project_path: 'eve/app' })) }),
    'IDENTITY_UNTRUSTED',
  ],
])('says what to do where %s', async (_, env, code) => {
  const refused = await login(env());
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(code)]);
});
