/**
 * The main job on real parts: `npm start`, another registry, real scans, the gate, and a client on
 * `/v2`. With `PRODUCT=containers`, `PRODUCT=compose` or `PRODUCT=kube-shared` (or another mode of
 * the chart's volumes), as set by `npm run containers`, `npm run compose` and `npm run kube`, it
 * runs on our images, docker-compose.yml, or the chart instead.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '@portcullis/embedded';
import { openRedis } from '@portcullis/runtime';
import {
  buildIndex,
  debianImage,
  fetchManifest,
  pushImage,
  serveVulnerabilityDb,
  skopeo,
  startRegistry,
  type TemporaryDir,
  type TestImage,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startComposed } from './deploy/containers/composed.ts';
import { startContainers } from './deploy/containers/product.ts';
import { modeOf, startKube } from './deploy/kube/product.ts';
import { addDeveloper } from './support/developer.ts';
import {
  bodyOf,
  type Call,
  caller,
  embeddedUrls,
  logIn,
  type Product,
  settled,
  startByNpm,
  until,
} from './support/product.ts';

const starts = (dataDir: string, env: Record<string, string>): Promise<Product> => {
  if (process.env.PRODUCT === 'compose') return startComposed(env, upstream);
  const mode = modeOf(process.env.PRODUCT);
  if (mode !== null) return startKube(env, upstream, mode);
  return process.env.PRODUCT === 'containers'
    ? startContainers(dataDir, env)
    : startByNpm(dataDir, env);
};

const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];

let upstream: TestRegistry;
let dir: TemporaryDir;
let product: Product;
let admin: Call;
let developer: Call;
let twoPlatforms: TestImage;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  twoPlatforms = buildIndex([
    await debianImage({ packages: CLEAN }),
    await debianImage({ packages: CLEAN, platform: 'linux/arm64' }),
  ]);
  await pushImage(upstream.url, 'acme/tool', '1.0', twoPlatforms);
  await pushImage(upstream.url, 'acme/old', '1.0', await debianImage());
  dir = await temporaryDir();
  const settings = {
    ADMIN_PASSWORD: 'a long enough password',
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
  };
  product = await starts(path.join(dir.path, 'data'), settings);
  admin = await logIn(product, 'admin', 'a long enough password');
  await addDeveloper(product, 'dev', 'another long password');
  developer = await logIn(product, 'dev', 'another long password');
});

afterAll(async () => {
  await product?.stop();
  await upstream?.stop();
  await dir?.remove();
});

/**
 * An ad-hoc host may lack TLS on loopback only; other hosts without TLS must be saved by an
 * administrator.
 */
async function sourceOf() {
  const { upstreamHost } = product;
  if (upstreamHost === undefined) return { source_registry_host: upstream.host };
  const saved = (await bodyOf(admin('GET', '/api/registries'))).find(
    (each: { host: string }) => each.host === upstreamHost,
  );
  const made = { name: 'upstream', host: upstreamHost, owner: 'global', use_tls: false };
  return {
    source_registry_id: (saved ?? (await bodyOf(admin('POST', '/api/registries', made)))).id,
  };
}

function layoutOf(jobId: string): string {
  const all = product.dataDirs().map((dataDir) => path.join(dataDir, 'cache', 'staging', jobId));
  const found = all.find((layout) => existsSync(layout));
  if (found === undefined) throw new Error(`there is no layout of ${jobId}`);
  return found;
}

async function pull(call: Call, image: string) {
  const body = { image, tag: '1.0', ...(await sourceOf()) };
  const answer = await call('POST', '/api/staging/pull', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return settled(call, answer.body.job_id);
}

describe('the main job', () => {
  it('a two-platform image is pulled whole, scanned on both platforms and found clean', async () => {
    const job = await pull(developer, 'acme/tool');
    expect(job).toMatchObject({
      status: 'staged',
      verdict: 'clean',
      digest: twoPlatforms.digest,
      owner: 'dev',
    });
    expect(job.timeline.map((entry: { status: string }) => entry.status)).toEqual([
      'pull_queued',
      'pulling',
      'scan_queued',
      'scanning',
      'staged',
    ]);
    const index = JSON.parse(await readFile(path.join(layoutOf(job.job_id), 'index.json'), 'utf8'));
    expect(
      index.manifests.some((each: { digest: string }) => each.digest === twoPlatforms.digest),
    ).toBe(true);
  });

  it.runIf(process.env.PRODUCT === undefined)(
    'the analysis of its layers is cached in the embedded Redis, on a Unix socket',
    async () => {
      const redis = openRedis((await embeddedUrls(path.join(dir.path, 'data'))).redis, {
        mode: 'patient',
      });
      expect(await redis.keys('fanal::*')).not.toEqual([]);
      redis.disconnect();
    },
  );

  it('a vulnerable image is staged with the verdict blocked and its findings', async () => {
    const job = await pull(developer, 'acme/old');
    expect(job).toMatchObject({ status: 'staged', verdict: 'blocked' });
    expect(job.vuln_result.counts).toMatchObject({ CRITICAL: 1, HIGH: 1 });
    const found = job.vuln_result.vulnerabilities.find(
      (each: { id: string }) => each.id === 'CVE-2099-0001',
    );
    expect(found).toMatchObject({ severity: 'CRITICAL', cvss_score: 9.8 });
    expect(found.packages[0]).toMatchObject({ name: 'openssl', fixed_version: '3.0.13-1' });
  });

  it.each([
    ['json', 'SchemaVersion'],
    ['sarif', '$schema'],
    ['cyclonedx', 'bomFormat'],
    ['spdx', 'spdxVersion'],
  ])('the full report is available as %s', async (format, key) => {
    const [blocked] = await bodyOf(developer('GET', '/api/staging/jobs?q=acme/old'));
    const report = await developer(
      'GET',
      `/api/staging/jobs/${blocked.job_id}/report?format=${format}`,
    );
    expect(report.status, JSON.stringify(report.body)).toBe(200);
    expect(report.body).toHaveProperty([key]);
  });

  it('a push of the blocked image is refused with 403 to an account without privileges', async () => {
    const [blocked] = await bodyOf(developer('GET', '/api/staging/jobs?q=acme/old'));
    const body = { job_id: blocked.job_id, target_image: 'old', target_tag: '1.0', folder: 'team' };
    const refused = await developer('POST', '/api/staging/push', body);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'VULN_BLOCKED' });
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
  });

  it('the clean image is pushed, and skopeo pulls it from /v2 with the digest of the source', async () => {
    const [clean] = await bodyOf(developer('GET', '/api/staging/jobs?q=acme/tool'));
    const body = { job_id: clean.job_id, target_image: 'tool', target_tag: '1.0', folder: 'team' };
    const accepted = await developer('POST', '/api/staging/push', body);
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
    await until(
      async () =>
        (await bodyOf(developer('GET', `/api/staging/jobs/${clean.job_id}`))).status === 'pushed',
    );

    const host = new URL(product.url).host;
    const layout = path.join(dir.path, 'pulled');
    const copy = [
      'copy',
      '--all',
      '--src-tls-verify=false',
      '--src-creds',
      'dev:another long password',
    ];
    await skopeo(...copy, `docker://${host}/team/tool:1.0`, `oci:${layout}:1.0`);
    const index = JSON.parse(await readFile(path.join(layout, 'index.json'), 'utf8'));
    expect(index.manifests[0].digest).toBe(twoPlatforms.digest);
    const source = await fetchManifest(upstream.url, 'acme/tool', '1.0');
    expect(source.headers['docker-content-digest']).toBe(twoPlatforms.digest);
  });

  it('an anonymous caller gets 401 everywhere but on health', async () => {
    const anonymous = caller(product);
    expect((await anonymous('GET', '/api/staging/jobs')).status).toBe(401);
    expect((await anonymous('GET', '/v2/')).status).toBe(401);
    expect((await anonymous('GET', '/api/health')).status).toBe(200);
  });

  // A cluster uses the probes of the chart.
  it.runIf(modeOf(process.env.PRODUCT) === null)(
    'the health check of the api’s image succeeds (O32)',
    async () => {
      const env = { ...process.env, PORT: new URL(product.url).port };
      await run(path.resolve(import.meta.dirname, '../deploy/image/answers'), [], { env });
    },
  );

  it('deleting a job removes its record and its layout', async () => {
    const job = await pull(admin, 'acme/tool');
    const layout = layoutOf(job.job_id);
    expect((await admin('DELETE', `/api/staging/jobs/${job.job_id}`)).status).toBe(204);
    expect((await admin('GET', `/api/staging/jobs/${job.job_id}`)).status).toBe(404);
    await until(() => !existsSync(layout));
  });

  it('Ctrl-C ends everything, and no process is left', async () => {
    expect((await product.running()).length).toBeGreaterThan(2);
    await product.stop();
    expect(product.output()).toMatch(/stopped\s*$/);
    expect(await product.running()).toEqual([]);
  });
});
