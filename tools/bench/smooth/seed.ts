/** Rows of the database for long lists: tags of one repository, its vulnerabilities, accounts. */
import { openSql } from '@portcullis/testing';
import type { Product } from '../../../tests/support/product.ts';

export const REPOSITORY = 'team/app';

const IMAGES = 100;

/** Each statement has one parameter: the number of rows. */
const STATEMENTS = [
  `INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
   VALUES ('${REPOSITORY}', 'team', $1::int, 50000000, now(), now() + interval '1 day')`,
  `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
   SELECT '${REPOSITORY}', 'sha256:' || encode(sha256(n::text::bytea), 'hex'),
          'application/vnd.oci.image.manifest.v1+json', 900, 41000000, '{linux/amd64,linux/arm64}', now()
     FROM generate_series(1, least($1::int, ${IMAGES})) n`,
  `INSERT INTO local_tags (repository, tag, digest, updated_at)
   SELECT '${REPOSITORY}', '1.' || n || '.0', 'sha256:' || encode(sha256((1 + n % ${IMAGES})::text::bytea), 'hex'),
          now() - n * interval '1 hour'
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO image_reports (digest, report, critical, high, medium, low, unknown, fixable, scanner_version, scanned_at)
   SELECT 'sha256:' || encode(sha256(1::text::bytea), 'hex'), '{}', 0, 0, 0, $1::int, 0, 0, '0', now()`,
  `INSERT INTO image_findings (digest, vulnerability, package, installed_version, fixed_version, severity,
                               first_seen_at, title)
   SELECT 'sha256:' || encode(sha256(1::text::bytea), 'hex'), 'CVE-2098-' || 10000 + n, 'package-' || n % 400, '1.0',
          CASE n % 3 WHEN 0 THEN NULL ELSE '1.1' END,
          (ARRAY['LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + n % 5], now(), 'A made-up vulnerability'
     FROM generate_series(1, $1::int) n`,
  `INSERT INTO users (id, username, username_key, email)
   SELECT gen_random_uuid(), 'account-' || n, 'account-' || n, 'account-' || n || '@example.com'
     FROM generate_series(1, $1::int) n`,
];

export async function seedLists(product: Product, rows: number): Promise<void> {
  const sql = await openSql(await product.databaseUrl());
  try {
    for (const statement of STATEMENTS) await sql.query(statement, [rows]);
  } finally {
    await sql.end();
  }
}
