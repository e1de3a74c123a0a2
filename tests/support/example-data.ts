/**
 * What a product in use has: images, jobs over a month, failures, transfers, a schedule, accounts,
 * a policy, a waiver, robots, webhooks and very long names. For screenshots, and for tests of long
 * lists.
 */
import { debianImage, openSql, pushImage, type TestRegistry } from '@portcullis/testing';
import { ADMIN, addDeveloper, DEVELOPER } from './developer.ts';
import { addMachines, type ExampleMachines } from './example-machines.ts';
import { addMirror } from './example-mirror.ts';
import { type Call, logIn, type Product, settled } from './product.ts';

const LONG_NAME = `acme/${'a-very-long-name-of-a-repository-'.repeat(6)}end`;
const [username, password] = DEVELOPER;

export interface ExampleData extends ExampleMachines, ExampleTransfers {
  jobId: string;
  failedJobId: string;
  policyId: string;
}

interface ExampleTransfers {
  registryId: string;
  transferId: string;
  scheduleId: string;
}

/** How long the longest lists are. */
export interface Amounts {
  tags: number;
  /** And as many audit events. */
  jobs: number;
}

/** Lists of more than one portion. */
const MANY: Amounts = { tags: 120, jobs: 150 };

/** Each list has rows to select, and no page takes long. */
export const FEW: Amounts = { tags: 12, jobs: 12 };

/** The upstream registry already has a vulnerability database, which the product reads. */
export async function addExampleData(
  product: Product,
  upstream: TestRegistry,
  amounts = MANY,
): Promise<ExampleData> {
  await addDeveloper(product, username, password);
  const developer = await logIn(product, username, password);
  const admin = await logIn(product, ...ADMIN);
  await pushImage(upstream.url, 'acme/old', '1.0', await debianImage());
  const jobId = await pull(developer, 'acme/old', upstream.host);
  await created(developer, '/api/reviews', {
    ...{ job_id: jobId, folder: 'team', target_image: 'old', target_tag: '1.0' },
    ...{ reason: 'The release of Friday needs it.', ticket: 'SHOP-4711' },
    until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });
  const failedJobId = await pull(developer, LONG_NAME, upstream.host);
  const { id } = await created(developer, '/api/registries', {
    name: 'Supplier',
    host: upstream.host,
    use_tls: false,
  });
  await images(product, developer, amounts);
  await created(admin, '/api/folders', { name: 'hub' });
  const here = await mirrored(product);
  await admin('PATCH', '/api/folders/team', {
    quota_bytes: 1_000_000_000,
    statements: 'on',
    immutable_tags: ['1.0'],
    retention: { keep_newest: 200, keep_days: 30, keep: ['*.0'] },
  });
  const transferred = await transfers(developer, id);
  const policyId = await administration(admin);
  const machines = await addMachines(admin, created, upstream);
  await history(product, jobId, amounts);
  await addMirror(product, admin, { here, jobId });
  return { jobId, failedJobId, policyId, ...transferred, ...machines };
}

async function created(call: Call, route: string, body: unknown) {
  const answer = await call('POST', route, body);
  if (answer.status >= 300)
    throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function pull(call: Call, image: string, host: string): Promise<string> {
  const source = { image, tag: '1.0', source_registry_host: host };
  const { job_id } = await created(call, '/api/staging/pull', source);
  await settled(call, job_id);
  return job_id;
}

async function transfers(call: Call, registryId: string): Promise<ExampleTransfers> {
  const batch = {
    source_registry_id: registryId,
    dest_folder: 'team',
    images: [{ repository: 'acme/old', tag: '1.0' }],
  };
  const times = { name: 'Every Monday', cron: '30 2 * * 1', timezone: 'UTC', enabled: true };
  const { id: scheduleId } = await created(call, '/api/transfer/schedules', { ...batch, ...times });
  const { transfer_id: transferId } = await created(call, '/api/transfer', batch);
  return { registryId, transferId, scheduleId };
}

const TEAMS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];

async function administration(call: Call): Promise<string> {
  for (const name of TEAMS) {
    await created(call, '/api/groups', { name: `${name}-group` });
    await created(call, '/api/folders', { name });
    await created(call, '/api/auth/users', { username: name, password: `the password of ${name}` });
  }
  const { id } = await created(call, '/api/policies', {
    name: 'Strict',
    rules: [{ severities: ['CRITICAL', 'HIGH', 'MEDIUM'] }],
  });
  await created(call, '/api/waivers', {
    vulnerability: 'CVE-2099-0001',
    folder: 'team',
    status: 'accepted',
    reason: 'The fix is in the next release.',
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });
  return id;
}

/** One image with many tags, which are really in the registry. */
async function images(product: Product, call: Call, { tags }: Amounts): Promise<void> {
  const image = await debianImage({ packages: [{ name: 'tar', version: '1.34' }] });
  const credentials = { username, password };
  await pushImage(product.url, 'team/shop', '1.0', image, { credentials });
  for (let tag = 1; tag < tags; tag++)
    await created(call, '/api/images/__local__/tags?repository=team/shop', {
      source_tag: '1.0',
      new_tag: `1.${tag}`,
    });
  const long = `team/${LONG_NAME.split('/')[1]}`;
  await pushImage(product.url, long, '1.0', image, { credentials });
  const newer = await debianImage({
    packages: [
      { name: 'tar', version: '1.35' },
      { name: 'curl', version: '7.88.1-10' },
    ],
    config: { Env: ['MODE=debug'], Cmd: ['serve', '--verbose'] },
  });
  await pushImage(product.url, 'team/api', '1.0', image, { credentials });
  await pushImage(product.url, 'team/api', '1.1', newer, { credentials });
}

/** What the folder `hub` has of its upstream. */
async function mirrored(product: Product): Promise<string> {
  const image = await debianImage({ packages: [{ name: 'tar', version: '1.34' }] });
  const [name, secret] = ADMIN;
  const credentials = { username: name, password: secret };
  for (const each of ['library/redis', 'library/nginx', 'grafana/grafana', 'library/busybox'])
    await pushImage(product.url, `hub/${each}`, '1', image, { credentials });
  return image.digest;
}

/** Copies of the job on earlier days, on two of three days, and of an audit event. */
async function history(product: Product, jobId: string, { jobs }: Amounts): Promise<void> {
  const sql = await openSql(await product.databaseUrl());
  try {
    await sql.query(
      `INSERT INTO staging_jobs SELECT copy.*
         FROM staging_jobs j, generate_series(1, $2::int) n,
              LATERAL (SELECT now() - make_interval(days => GREATEST(n % 28 - n % 3, 0), mins => n)) t (at),
              LATERAL jsonb_populate_record(j, jsonb_build_object(
                'id', gen_random_uuid(), 'image', 'acme/service-' || n,
                'status', CASE WHEN n % 7 = 0 THEN 'failed' ELSE j.status END,
                'created_at', at, 'updated_at', at, 'finished_at', at)) copy
        WHERE j.id = $1`,
      [jobId, jobs],
    );
    await sql.query(
      `INSERT INTO audit_events SELECT copy.*
         FROM audit_events e, generate_series(1, $1::int) n,
              LATERAL (SELECT gen_random_uuid() AS id, now() - make_interval(mins => n) AS at) t,
              LATERAL jsonb_populate_record(e, jsonb_build_object(
                'id', t.id, 'at', t.at,
                'body', e.body || jsonb_build_object('id', t.id, 'at', t.at))) copy
        WHERE e.id = (SELECT id FROM audit_events LIMIT 1)`,
      [jobs],
    );
    await sql.query(
      `WITH named AS (INSERT INTO clusters (name) VALUES ('eu-1'), ('us-1') RETURNING name)
       INSERT INTO running_images (cluster, namespace, repository, digest)
       SELECT c.name, 'shop-' || n, i.repository, i.digest
         FROM local_tags i, (VALUES ('eu-1'), ('us-1')) c (name), generate_series(1, 3) n
        WHERE i.repository IN ('team/shop', 'team/api') AND i.tag = '1.0'`,
    );
    await agents(sql);
  } finally {
    await sql.end();
  }
}

/** Of two further clusters, one of which fell silent. */
async function agents(sql: Awaited<ReturnType<typeof openSql>>): Promise<void> {
  await sql.query(
    `INSERT INTO clusters (name, reporter_id, reported_at, not_known)
     SELECT c.name, u.id, now() - c.age, c.not_known
       FROM users u, (VALUES ('ap-1', interval '1 minute', 2), ('edge-of-the-factory-1',
                              interval '3 days', 0)) c (name, age, not_known)
      WHERE u.username = 'build-ci'`,
  );
  await sql.query(
    `INSERT INTO reported_images (cluster, namespace, repository, digest)
     SELECT c.name, 'assembly-' || n, i.repository, i.digest
       FROM clusters c, local_tags i, generate_series(1, 2) n
      WHERE c.reported_at IS NOT NULL AND i.repository = 'team/shop' AND i.tag = '1.0'`,
  );
  await sql.query(
    `UPDATE local_repositories SET created_at = least(created_at, now() - interval '4 days')`,
  );
}
