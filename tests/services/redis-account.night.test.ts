/** The whole product with a Redis account that may do what docs/guide/services.md says only. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openRedis } from '@portcullis/runtime';
import {
  debianImage,
  eventually,
  pushImage,
  serveVulnerabilityDb,
  startConfiguredRedis,
  startRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { expect, it } from 'vitest';
import { bodyOf, logIn, settled, startProduct } from '../support/product.ts';

const GUIDE = path.resolve(import.meta.dirname, '../../docs/guide/services.md');
const PASSWORD = 'a long enough password';

/** `ACL SETUSER portcullis on >PASSWORD …` of the guide, as a line of redis.conf. */
async function account(): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [, rules = ''] = /^ACL SETUSER portcullis on >PASSWORD (.+)$/m.exec(guide) ?? [];
  expect(rules).toContain('-@all');
  return `user portcullis on >limited ${rules}`;
}

it('pulls, scans, pushes, transfers and deletes, and Redis denied nothing', async () => {
  await using redis = await startConfiguredRedis(
    ['maxmemory-policy noeviction', await account(), 'user default on >admin ~* &* +@all'],
    { login: ':admin@' },
  );
  await using upstream = await startRegistry();
  await using dir = await temporaryDir();
  const database = await serveVulnerabilityDb(upstream.url);
  await pushImage(upstream.url, 'acme/tool', '1.0', await debianImage());
  const product = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
    REDIS_URL: redis.url.replace(':admin@', 'portcullis:limited@'),
  });
  try {
    const admin = await logIn(product, 'admin', PASSWORD);
    const source = { source_registry_host: upstream.host };
    await admin('POST', '/api/folders', { name: 'team' });
    const pull = await admin('POST', '/api/staging/pull', {
      ...source,
      image: 'acme/tool',
      tag: '1.0',
    });
    const job = await settled(admin, pull.body.job_id);
    expect(job).toMatchObject({ status: 'staged' });
    const push = { job_id: job.job_id, target_image: 'tool', target_tag: '1.0', folder: 'team' };
    const accepted = await admin('POST', '/api/staging/push', push);
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
    const statusOf = async () =>
      (await bodyOf(admin('GET', `/api/staging/jobs/${job.job_id}`))).status;
    await eventually(statusOf, (status) => status === 'pushed');
    await admin('DELETE', `/api/staging/jobs/${job.job_id}`);
    const health = await admin('GET', '/api/health/dependencies');
    expect(health.body.dependencies.redis).toMatchObject({ ok: true });
    const audited = () => bodyOf(admin('GET', '/api/system/audit?event=staging.pushed'));
    await eventually(audited, (events) => events.length === 1);
  } finally {
    await product.stop();
  }
  const operator = openRedis(redis.url, { mode: 'patient' });
  expect(await operator.call('ACL', 'LOG')).toEqual([]);
  operator.disconnect();
});
