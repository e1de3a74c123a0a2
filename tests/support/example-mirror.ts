/** A mirror with tags in most states, as rows of the database: pulls would take long. */
import { openSql } from '@portcullis/testing';
import { bodyOf, type Call, type Product } from './product.ts';

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const BLOCKED = {
  code: 'VULN_BLOCKED',
  message: 'Blocked by policy "default": CVE-2099-0001 (CRITICAL) in openssl 3.0.11-1~deb12u1.',
  side: null,
  retryable: false,
};
const BROKEN = {
  code: 'REGISTRY_UNREACHABLE',
  message: 'registry-1.docker.io: connect ETIMEDOUT',
  side: 'source',
  retryable: true,
};
const SILENT = {
  ...{ code: 'UPSTREAM_SILENT', message: "registry-1.docker.io doesn't answer in time" },
  gone: false,
};
const GONE = {
  ...{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' },
  gone: true,
};

interface Row {
  repository: string;
  /** Of a tag that is here already. */
  here?: string;
  fault?: object;
  job?: { status: string; error?: object };
}

/**
 * @param here the digest that each of these repositories has under the tag 1
 * @param jobId a job that is copied
 */
export async function addMirror(
  product: Product,
  admin: Call,
  { here, jobId }: { here: string; jobId: string },
): Promise<void> {
  await bodyOf(admin('PATCH', '/api/folders/hub', { mirror: { registry_id: null } }));
  const moved = { status: 'failed', error: BLOCKED };
  const rows: Row[] = [
    { repository: 'hub/library/redis', here },
    { repository: 'hub/library/nginx', here, job: moved },
    { repository: 'hub/grafana/grafana', here, fault: SILENT },
    { repository: 'hub/library/busybox', here, fault: GONE },
    { repository: 'hub/library/wordpress', job: moved },
    { repository: 'hub/bitnami/kafka', job: { status: 'failed', error: BROKEN } },
  ];
  const sql = await openSql(await product.databaseUrl());
  try {
    for (const { repository, here: served, fault, job } of rows) {
      const upstream = served !== undefined && !job ? served : digestOf('b');
      const { rows: made } = job
        ? await sql.query(
            `INSERT INTO staging_jobs SELECT copy.* FROM staging_jobs j,
               LATERAL jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(),
                 'image', $2::text, 'tag', '1', 'status', $3::text, 'source_digest', $4::text,
                 'error', $5::jsonb, 'updated_at', now())) copy
              WHERE j.id = $1 RETURNING id`,
            [jobId, repository.slice(4), job.status, upstream, job.error ?? null],
          )
        : { rows: [] };
      await sql.query(
        `INSERT INTO mirror_tags (repository, reference, upstream_digest, good_digest, good_source,
                                  good_at, checked_at, due_at, fault, job_id)
         VALUES ($1, '1', $2, $3, $3, now() - interval '2 days', now(), now() + interval '1 day', $4, $5)`,
        [repository, upstream, served ?? null, fault ?? null, made[0]?.id ?? null],
      );
    }
    await sql.query(
      `INSERT INTO mirror_attempts (folder_id, repository, reference, account_id, fault)
       SELECT f.id, 'hub/library/never', '9', j.owner_id, $2
         FROM folders f, staging_jobs j WHERE f.name = 'hub' AND j.id = $1`,
      [jobId, SILENT],
    );
  } finally {
    await sql.end();
  }
}
