/** A product with a registry to pull from, and the account of a pipeline without privileges. */
import path from 'node:path';
import {
  debianImage,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { bodyOf, type Call, logIn, type Product, startProduct } from '../support/product.ts';
import { bundlePcs, type Pcs } from './bundled.ts';

const PASSWORD = 'a long enough password';
const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];
/** It has a critical vulnerability in the database of the tests. */
const FLAWED = [...CLEAN, { name: 'openssl', version: '3.0.11-1' }];

export interface PipelineSite extends AsyncDisposable {
  product: Product;
  upstream: TestRegistry;
  admin: Call;
  /** A personal access token of `ci`, which may pull, push and transfer in the folder `team`. */
  token: string;
  /** Logged in as `ci`. */
  pcs: Pcs;
  /** The bundled command. */
  file: string;
  dir: string;
  env: { PORTCULLIS_URL: string; PORTCULLIS_TOKEN: string };
}

export async function openPipelineSite(): Promise<PipelineSite> {
  const parts = new AsyncDisposableStack();
  const upstream = parts.use(await startRegistry());
  const dir = parts.use(await temporaryDir());
  const database = await serveVulnerabilityDb(upstream.url);
  const product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_DB_REPOSITORY: database,
    DOCKERHUB_HOST: upstream.host,
    EGRESS_ALLOW: upstream.host,
  });
  parts.defer(() => product.stop());
  const admin = await logIn(product, 'admin', PASSWORD);
  // Plans are made by the api, which has no other Docker Hub.
  const hub = { name: 'hub', host: upstream.host, use_tls: false, owner: 'global' };
  await admin('POST', '/api/registries', hub);
  const token = await pipelineToken(product, admin);
  const { file, pcs } = await bundlePcs(dir.path);
  const env = { PORTCULLIS_URL: product.url, PORTCULLIS_TOKEN: token };
  return {
    product,
    upstream,
    admin,
    token,
    file,
    dir: dir.path,
    env,
    pcs: (args, options = {}) => pcs(args, { ...options, env: { ...env, ...options.env } }),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Of a robot with the permissions of `ci`, as docs/ci.md creates one. */
export async function robotToken({ admin }: Pick<PipelineSite, 'admin'>): Promise<string> {
  const groups = await bodyOf(admin('GET', '/api/groups'));
  const group = groups.find(({ name }: { name: string }) => name === 'pipelines');
  const robot = await bodyOf(
    admin('POST', '/api/robots', {
      name: 'pipeline',
      owner_group_id: group.id,
    }),
  );
  const order = { name: 'pipeline', scope: 'api' };
  return (await bodyOf(admin('POST', `/api/robots/${robot.id}/tokens`, order))).token;
}

async function pipelineToken(product: Product, admin: Call): Promise<string> {
  const folder = await bodyOf(admin('POST', '/api/folders', { name: 'team' }));
  const group = await bodyOf(admin('POST', '/api/groups', { name: 'pipelines' }));
  await admin('POST', '/api/auth/users', { username: 'ci', password: PASSWORD });
  await admin('PUT', `/api/groups/${group.id}/members`, { username: 'ci' });
  const rights = { can_pull: true, can_push: true, can_pull_external: true };
  await admin('PUT', `/api/folders/${folder.name}/permissions`, { group_id: group.id, ...rights });
  const session = await logIn(product, 'ci', PASSWORD);
  const order = { name: 'pipeline', scope: 'api' };
  return (await bodyOf(session('POST', '/api/auth/tokens', order))).token;
}

/** Each has a separate layer; the tag is 1.0 by default. */
export async function provideImages(
  { upstream }: Pick<PipelineSite, 'upstream'>,
  names: { clean: readonly string[]; flawed: readonly string[] },
): Promise<void> {
  const all = [
    ...names.clean.map((name) => ({ name, packages: CLEAN })),
    ...names.flawed.map((name) => ({ name, packages: FLAWED })),
  ];
  for (const { name, packages } of all) {
    const image = await debianImage({ packages, more: [randomFiles(2_000)] });
    const [repository = '', tag = '1.0'] = name.split(':');
    await pushImage(upstream.url, repository, tag, image);
  }
}
