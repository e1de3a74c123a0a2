/**
 * Data that an installation must keep: accounts, images with their verdicts, history. Created once,
 * verified later.
 */
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  skopeo,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { expect } from 'vitest';
import { ADMIN, addDeveloper, DEVELOPER } from './developer.ts';
import { bodyOf, type Call, logIn, type Product, settled, until } from './product.ts';

const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];

export interface Upstream {
  registry: TestRegistry;
  image: TestImage;
  /** Settings with which the product reaches the other registry. */
  settings: Record<string, string>;
}

export async function fillUpstream(registry: TestRegistry): Promise<Upstream> {
  const database = await serveVulnerabilityDb(registry.url);
  const image = await debianImage({ packages: CLEAN });
  await pushImage(registry.url, 'acme/tool', '1.0', image);
  const [, password] = ADMIN;
  const settings = {
    ADMIN_PASSWORD: password,
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: registry.host,
  };
  return { registry, image, settings };
}

/**
 * Creates an account, the credentials of the other registry, and an image that is pulled, scanned
 * and pushed. Returns the job.
 */
export async function fill(product: Product, { registry }: Upstream): Promise<string> {
  const admin = await logIn(product, ...ADMIN);
  await addDeveloper(product, ...DEVELOPER);
  const host = product.upstreamHost ?? registry.host;
  const login = { username: 'robot', password: 'a sealed password' };
  const made = { name: 'upstream', host, owner: 'global', use_tls: false, ...login };
  const source = await bodyOf(admin('POST', '/api/registries', made));
  const developer = await logIn(product, ...DEVELOPER);
  const wanted = { image: 'acme/tool', tag: '1.0', source_registry_id: source.id };
  const pulled = await developer('POST', '/api/staging/pull', wanted);
  expect(pulled.status, JSON.stringify(pulled.body)).toBe(202);
  const job = await settled(developer, pulled.body.job_id);
  expect(job).toMatchObject({ status: 'staged', verdict: 'clean' });
  await push(developer, job.job_id);
  return job.job_id;
}

async function push(call: Call, job_id: string): Promise<void> {
  const body = { job_id, target_image: 'tool', target_tag: '1.0', folder: 'team' };
  const accepted = await call('POST', '/api/staging/push', body);
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  let job: unknown;
  const isPushed = async () => {
    const now = await bodyOf(call('GET', `/api/staging/jobs/${job_id}`));
    job = now;
    return now.status === 'pushed';
  };
  await until(isPushed, () => JSON.stringify(job));
}

/** All of it exists and can be used. */
export async function expectKept(
  product: Product,
  { image }: Upstream,
  job: string,
): Promise<void> {
  const [username, password] = DEVELOPER;
  const developer = await logIn(product, username, password);
  expect(await bodyOf(developer('GET', `/api/staging/jobs/${job}`))).toMatchObject({
    status: 'pushed',
  });
  const held = [
    'inspect',
    '--format',
    '{{.Digest}}',
    '--tls-verify=false',
    '--creds',
    `${username}:${password}`,
  ];
  const digest = await skopeo(...held, `docker://${new URL(product.url).host}/team/tool:1.0`);
  expect(digest.trim()).toBe(image.digest);
  const admin = await logIn(product, ...ADMIN);
  const registries = await bodyOf(admin('GET', '/api/registries'));
  expect(registries).toContainEqual(
    expect.objectContaining({ name: 'upstream', username: 'robot' }),
  );
}
