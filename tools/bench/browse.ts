/**
 * `npm run bench browse`: times pages of an image index with 10,000 repositories and 100,000 tags
 * over HTTP, as the web page requests them, for an administrator and for an account that may read
 * 20 of 100 folders. Prints a table for docs/benchmarks.md.
 */
import { openSql } from '@portcullis/testing';
import { type Client, startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { median } from './figures.ts';

const FOLDERS = 100;
const REPOSITORIES = 10_000;
const TAGS_EACH = 10;
const READABLE = 20;
const ROUNDS = 25;

/**
 * Every tag is a separate image, of four layers that all tags of the repository share and one
 * unique layer.
 */
const FILL = [
  `INSERT INTO folders (id, name) SELECT gen_random_uuid(), 'team' || n FROM generate_series(0, ${FOLDERS - 1}) n`,
  `INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
   SELECT 'team' || n % ${FOLDERS} || '/service-' || n, 'team' || n % ${FOLDERS}, ${TAGS_EACH}, 50000000 + n, now() - n * interval '1 minute', now()
     FROM generate_series(1, ${REPOSITORIES}) n`,
  `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
   SELECT name, 'sha256:' || encode(sha256((name || t)::bytea), 'hex'), 'application/vnd.oci.image.manifest.v1+json', 900, 41000000,
          '{linux/amd64}', updated_at FROM local_repositories, generate_series(1, ${TAGS_EACH}) t`,
  `INSERT INTO local_tags (repository, tag, digest, updated_at)
   SELECT name, '1.' || t || '.0', 'sha256:' || encode(sha256((name || t)::bytea), 'hex'), updated_at - t * interval '1 hour'
     FROM local_repositories, generate_series(1, ${TAGS_EACH}) t`,
  `INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
   SELECT repository, digest, 'sha256:' || encode(sha256((repository || CASE l WHEN 5 THEN digest ELSE l::text END)::bytea), 'hex'), 10000000, false
     FROM local_manifests, generate_series(1, 5) l`,
  'VACUUM ANALYZE',
];

const LIST = '/api/images/__local__';
const PAGES = {
  'repositories, first page of 50': `${LIST}?page_size=50`,
  'repositories, a page in the middle': `${LIST}?page_size=50&page=20`,
  'search: half of all names': `${LIST}?search=service-1`,
  'search: one name': `${LIST}?search=service-4711`,
  'search: nothing': `${LIST}?search=nowhere`,
  'one folder': `${LIST}?folder=team7`,
  'tree, the folders': `${LIST}/tree`,
  'tree, in a folder': `${LIST}/tree?path=team7`,
  'tags of a repository': `${LIST}/tags?repository=team7/service-107`,
  'tags, filtered': `${LIST}/tags?repository=team7/service-107&q=1.1`,
};

async function fill({ surroundings }: TestApi): Promise<void> {
  const sql = await openSql(surroundings.env.DATABASE_URL ?? '');
  for (const statement of FILL) await sql.query(statement);
  await sql.end();
}

/** Median and maximum, including the first request. */
async function times(client: Client, path: string): Promise<string> {
  const each: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const response = await client.get(path);
    const text = await response.text();
    each.push(performance.now() - began);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  }
  return `${median(each).toFixed(1)} (${Math.max(...each).toFixed(0)})`;
}

const api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
try {
  await fill(api);
  await api.account('root', { isAdmin: true });
  const reader = await api.account('reader');
  for (let n = 0; n < READABLE; n += 1) await api.grant(reader, `team${n}`, { canPull: true });
  const clients = [await api.as('root'), await api.as('reader')];
  process.stdout.write('| page | administrator, ms | account of 20 folders, ms |\n|---|---|---|\n');
  for (const [title, path] of Object.entries(PAGES)) {
    const cells: string[] = [];
    for (const client of clients) cells.push(await times(client, path));
    process.stdout.write(`| ${title} | ${cells.join(' | ')} |\n`);
  }
} finally {
  await api.stop();
}
