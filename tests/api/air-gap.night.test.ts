/**
 * docs/guide/air-gap.md: the scanner's database is pushed to the built-in registry like an image,
 * and is downloaded from there.
 */
import path from 'node:path';
import {
  serveVulnerabilityDb,
  startRegistry,
  type TemporaryDir,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, logIn, type Product, settled, startProduct, until } from '../support/product.ts';

const PASSWORD = 'a long enough password';

let upstream: TestRegistry;
let dir: TemporaryDir;
let dataDir: string;
let product: Product;

beforeAll(async () => {
  upstream = await startRegistry();
  await serveVulnerabilityDb(upstream.url, { repository: 'aquasec/trivy-db' });
  dir = await temporaryDir();
  dataDir = path.join(dir.path, 'data');
});

afterAll(async () => {
  await product?.stop();
  await upstream?.stop();
  await dir?.remove();
});

it('the database is staged, pushed into a folder, and downloaded from there by a product with no other source', async () => {
  product = await startProduct(dataDir, {
    ADMIN_PASSWORD: PASSWORD,
    TRIVY_DB_REPOSITORY: 'localhost:1/none:2',
  });
  await mirror();
  await product.stop();

  await upstream.stop();
  const copy = 'registry.localhost/mirror/trivy-db:2';
  product = await startProduct(dataDir, { ADMIN_PASSWORD: PASSWORD, TRIVY_DB_REPOSITORY: copy });
  const admin = await logIn(product, 'admin', PASSWORD);
  let state: unknown;
  await until(
    async () => {
      state = await bodyOf(admin('GET', '/api/trivy/state'));
      return JSON.stringify(state).includes(copy);
    },
    () => `${JSON.stringify(state)}\n${product.output()}`,
  );
  expect(state).toMatchObject({ available: true, db: { source: copy } });
});

async function mirror(): Promise<void> {
  const admin = await logIn(product, 'admin', PASSWORD);
  await admin('POST', '/api/folders', { name: 'mirror' });
  const pulled = await admin('POST', '/api/staging/pull', {
    image: 'aquasec/trivy-db',
    tag: '2',
    source_registry_host: upstream.host,
    vuln_scan_enabled_override: false,
  });
  expect(pulled.status, JSON.stringify(pulled.body)).toBe(202);
  const { job_id } = pulled.body;
  expect(await settled(admin, job_id)).toMatchObject({ status: 'staged', verdict: 'skipped' });
  const target = { job_id, target_image: 'trivy-db', target_tag: '2', folder: 'mirror' };
  expect((await admin('POST', '/api/staging/push', target)).status).toBe(202);
  expect(await settled(admin, job_id)).toMatchObject({ status: 'pushed' });
}
