/**
 * Tables of 10,000 rows for `npm run bench lists`: vulnerabilities in 500 images with 100 findings
 * each, with both threat feeds, review requests, waivers, jobs, repositories, tags and accounts.
 */
import { parseFeedFile } from '@portcullis/domain';
import { publishChange, systemEvent } from '@portcullis/events';
import { epssFile, kevFile, openSql } from '@portcullis/testing';
import type { TestApi } from '../../apps/api/src/api.fixture.ts';

const ROWS = 10_000;
const IMAGES = 500;
const FINDINGS_EACH = 100;
const FOLDERS = 50;
const EXPLOITED = 500;

const FOLDER = `'team' || n % ${FOLDERS}`;
const DIGEST = `'sha256:' || encode(sha256(n::text::bytea), 'hex')`;
const SOURCE = `'{"kind":"dockerhub","registryId":null,"host":"registry-1.docker.io"}'`;
const PROGRESS = `'{"phase":"done","bytesDone":0,"bytesTotal":0,"blobsDone":0,"blobsTotal":0,"bytesReused":0,"rate":0}'`;
const FILL = [
  `INSERT INTO folders (id, name) SELECT gen_random_uuid(), 'team' || n FROM generate_series(0, ${FOLDERS - 1}) n
   ON CONFLICT DO NOTHING`,
  `INSERT INTO users (id, username, username_key, email)
   SELECT gen_random_uuid(), 'account-' || n, 'account-' || n, 'account-' || n || '@example.com' FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
   SELECT ${FOLDER} || '/app-' || n, ${FOLDER}, CASE n WHEN 1 THEN ${ROWS} ELSE 1 END, 50000000, now() - n * interval '1 minute', now() + interval '1 day'
     FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
   SELECT CASE WHEN n > ${IMAGES} THEN 'team1/app-1' ELSE ${FOLDER} || '/app-' || n END, ${DIGEST},
          'application/vnd.oci.image.manifest.v1+json', 900, 41000000, '{linux/amd64}', now() FROM generate_series(1, ${ROWS}) n`,
  `INSERT INTO local_tags (repository, tag, digest, updated_at)
   SELECT repository, '1.' || pushed.nth || '.0', digest, now() - nth * interval '1 hour'
     FROM (SELECT *, row_number() OVER (ORDER BY digest) AS nth FROM local_manifests) pushed`,
  `INSERT INTO image_reports (digest, report, critical, high, medium, low, unknown, fixable, scanner_version, scanned_at, facts)
   SELECT ${DIGEST}, '{}', 0, 0, 0, 0, 0, 0, '0', now() - n % 30 * interval '1 day', '{}' FROM generate_series(1, ${IMAGES}) n`,
  `INSERT INTO image_findings (digest, vulnerability, package, installed_version, fixed_version, severity, first_seen_at, title)
   SELECT ${DIGEST}, 'CVE-2099-' || 10000 + v, 'package-' || v % 900, '1.0', CASE v % 3 WHEN 0 THEN NULL ELSE '1.1' END,
          (ARRAY['LOW', 'MEDIUM', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + v % 5], now() - v % 30 * interval '1 day', 'A made-up fault'
     FROM generate_series(1, ${IMAGES}) n, generate_series(0, ${FINDINGS_EACH} - 1) f,
          LATERAL (SELECT (n * ${FINDINGS_EACH / 5} + f) % ${ROWS} AS v) found`,
  `INSERT INTO known_vulnerabilities (vulnerability, first_seen_at)
   SELECT vulnerability, min(first_seen_at) FROM image_findings GROUP BY 1`,
  `INSERT INTO staging_jobs (id, owner_id, status, verdict, image, tag, source, progress, overrides, created_at, updated_at, finished_at)
   SELECT gen_random_uuid(), users.id, 'staged', 'clean', 'acme/app', n::text, ${SOURCE}, ${PROGRESS},
          '{"vulnScanEnabled":null,"vulnSeverities":null}', at, at, at
     FROM generate_series(1, ${ROWS}) n JOIN users ON username = 'account-' || n % 40 + 1,
          LATERAL (SELECT now() - n * interval '1 minute' AS at) t`,
  `INSERT INTO waivers (id, vulnerability, status, reason, state, requested_by_id, created_at, expires_at)
   SELECT gen_random_uuid(), 'CVE-2099-' || 10000 + n, 'accepted', 'The fix is in the next release ' || n || '.', 'requested',
          users.id, now() - n * interval '1 minute', now() + interval '30 days'
     FROM generate_series(1, ${ROWS}) n JOIN users ON username = 'account-' || n % 40 + 1`,
  // A third is open; each asks for thirty vulnerabilities.
  `INSERT INTO reviews (number, state, digest, source_host, image, tag, kind, folder_id, host, repository, target_tag, findings,
                        vulnerabilities, counts, reason, until, requested_by_id, search_text, created_at, ends_at)
   SELECT n, CASE n % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'approved' ELSE 'rejected' END, ${DIGEST}, 'registry-1.docker.io',
          'acme/app-' || n, '1.0', 'local', folders.id, 'localhost', ${FOLDER} || '/app-' || n, '1.0', '[]',
          ARRAY(SELECT 'CVE-2099-' || 10000 + (n * 31 + v) % ${ROWS} FROM generate_series(1, 30) v),
          '{"CRITICAL":1,"HIGH":9,"MEDIUM":20,"LOW":0,"UNKNOWN":0}', 'The fix is in the next release.', now() + interval '30 days',
          users.id, 'acme/app-' || n || ' ' || ${FOLDER}, now() - n * interval '1 minute', now() + interval '14 days'
     FROM generate_series(1, ${ROWS}) n JOIN users ON username = 'account-' || n % 40 + 1 JOIN folders ON folders.name = ${FOLDER}`,
  `INSERT INTO review_comments (id, review_number, text)
   SELECT gen_random_uuid(), n, 'A remark.' FROM generate_series(1, ${ROWS}) n, generate_series(1, 3) c`,
  `INSERT INTO review_counters SELECT 1, ${ROWS} ON CONFLICT DO NOTHING`,
  'VACUUM ANALYZE',
];

export async function fill({ surroundings }: Pick<TestApi, 'surroundings'>): Promise<void> {
  const sql = await openSql(surroundings.env.DATABASE_URL ?? '');
  for (const statement of FILL) await sql.query(statement);
  await sql.end();
}

/** As if the worker had read both feeds, which name every vulnerability. */
export async function feed({ store, redis }: TestApi): Promise<void> {
  const ids = Array.from({ length: ROWS }, (_, n) => `CVE-2099-${10_000 + n}`);
  const files = [
    kevFile(ids.filter((_, n) => n % EXPLOITED === 0)),
    epssFile(ids.map((id, n) => [id, ((n * 7919) % 10_000) / 10_000])),
  ];
  const at = new Date();
  const event = systemEvent({
    ...{ event: 'feeds.updated', outcome: 'success', actor: { id: null, name: 'worker' } },
    ...{ action: 'update', resource: null, detail: {} },
  });
  const read = { source: 'import', validator: null, at };
  for (const file of files) await store.feeds.replace(await parseFeedFile(file, at), read, event);
  await publishChange(redis, 'settings');
}
