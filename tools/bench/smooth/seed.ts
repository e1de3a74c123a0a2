/**
 * Rows of the database for long lists: tags of one repository, its vulnerabilities, accounts,
 * waivers, transfers, audit events.
 */
import { randomUUID } from 'node:crypto';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { openSql, sha256 } from '@portcullis/testing';
import { sampleEvent } from '@portcullis/testing/samples';
import { ADMIN } from '../../../tests/support/developer.ts';
import { logIn, type StandaloneProduct } from '../../../tests/support/product.ts';
import { madeUpReport } from '../../../tests/support/seeded-findings.ts';

export const REPOSITORY = 'team/app';

const IMAGES = 100;

const REPOSITORY_ROW = `INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
   VALUES ('${REPOSITORY}', 'team', $1::int, 50000000, now(), now() + interval '1 day')
   ON CONFLICT DO NOTHING`;
const MANIFESTS = `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
   SELECT '${REPOSITORY}', 'sha256:' || encode(sha256(n::text::bytea), 'hex'),
          'application/vnd.oci.image.manifest.v1+json', 900, 41000000, '{linux/amd64,linux/arm64}', now()
     FROM generate_series(1, least($1::int, ${IMAGES})) n
   ON CONFLICT DO NOTHING`;
const TAGS = `INSERT INTO local_tags (repository, tag, digest, updated_at)
   SELECT '${REPOSITORY}', '1.' || n || '.0', 'sha256:' || encode(sha256((1 + n % ${IMAGES})::text::bytea), 'hex'),
          now() - n * interval '1 hour'
     FROM generate_series(1, $1::int) n
   ON CONFLICT DO NOTHING`;
const USERS = `INSERT INTO users (id, username, username_key, email)
   SELECT gen_random_uuid(), 'account-' || n, 'account-' || n, 'account-' || n || '@example.com'
     FROM generate_series(1, $1::int) n`;
const WAIVERS = `INSERT INTO waivers (id, vulnerability, status, reason, state, requested_by_id, created_at, expires_at)
   SELECT gen_random_uuid(), 'CVE-2098-' || n, 'accepted', 'The fix is in the next release ' || n || '.', 'requested',
          users.id, now() - n * interval '1 minute', now() + interval '30 days'
     FROM users, generate_series(1, $1::int) n WHERE username = '${ADMIN[0]}'`;
const TRANSFERS = `INSERT INTO transfers
   SELECT copy.* FROM transfers one, generate_series(1, $1::int) n,
          jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'created_at', now() - n * interval '1 minute')) copy
    WHERE one.id = (SELECT id FROM transfers LIMIT 1)`;

/** Each statement has one parameter: the number of rows. */
const STATEMENTS = {
  tags: [REPOSITORY_ROW, MANIFESTS, TAGS],
  vulnerabilities: [REPOSITORY_ROW, MANIFESTS, TAGS],
  users: [USERS],
  waivers: [WAIVERS],
  transfers: [TRANSFERS],
} as const;

export async function seedRows(
  product: StandaloneProduct,
  rows: number,
  of: keyof typeof STATEMENTS,
): Promise<void> {
  if (of === 'vulnerabilities') await seedReport(product, rows);
  if (of === 'transfers') await transferOnce(product);
  const sql = await openSql(await product.databaseUrl());
  try {
    for (const statement of STATEMENTS[of]) await sql.query(statement, [rows]);
  } finally {
    await sql.end();
  }
}

/** The transfer that is copied; its image does not exist. */
async function transferOnce(product: StandaloneProduct): Promise<void> {
  const admin = await logIn(product, ...ADMIN);
  await admin('POST', '/api/folders', { name: 'team' });
  const images = [{ repository: 'library/none', tag: '1' }];
  const { status } = await admin('POST', '/api/transfer', { dest_folder: 'team', images });
  if (status !== 202) throw new Error(`the transfer is answered with ${status}`);
}

/** Of the image that has the first of the tags. */
async function seedReport(product: StandaloneProduct, findings: number): Promise<void> {
  const report = madeUpReport(findings);
  await withStore(product, (store) =>
    store.reports.record({ digest: sha256(Buffer.from('1')), report, scannedAt: new Date() }),
  );
}

/** One login each second until now. */
export async function seedAudit(product: StandaloneProduct, events: number): Promise<void> {
  const now = Date.now();
  const logins = Array.from({ length: events }, (_, nth) =>
    sampleEvent({ id: randomUUID(), at: new Date(now - nth * 1_000).toISOString() }),
  );
  await withStore(product, (store) => store.audit.insert(logins));
}

async function withStore(
  product: StandaloneProduct,
  act: (store: Store) => Promise<unknown>,
): Promise<void> {
  const store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  try {
    await act(store);
  } finally {
    await store.close();
  }
}
