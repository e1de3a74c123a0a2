/**
 * `npm run bench audit [-- millions]`: times pages of an archive with so many million audit events
 * (default 3), by each filter and search. The events are spread over one year; `former` left half a
 * year ago, `rare` has three events. Prints a table for docs/benchmarks.md.
 */
import { type AuditFilter, type AuditPosition, openStore } from '@portcullis/store';
import { createDatabase, openSql } from '@portcullis/testing';

const millions = Number(process.argv[2] ?? 3);
const ROUNDS = 9;
const STEP = 100_000;

const GENERATE = `
INSERT INTO audit_events (id, at, event, outcome, actor, body, words)
SELECT id, at, event, 'success', actor,
       jsonb_build_object('id', id, 'at', at, 'event', event, 'outcome', 'success', 'action', 'GET',
         'actor', jsonb_build_object('id', null, 'name', actor, 'auth', 'basic'),
         'resource', jsonb_build_object('kind', 'image', 'id', null, 'name', 'team' || n % 50 || '/app' || n % 2000),
         'client_ip', '10.0.' || n % 200 || '.7', 'user_agent', 'docker/24.0.5 go/go1.20 kernel/6.1 os/linux',
         'request_id', request, 'path', '/v2/team' || n % 50 || '/app' || n % 2000 || '/manifests/1', 'detail', '{}'),
       ARRAY['success', 'get', 'image', 'docker', '24', '0', '5', 'go', 'go1', '20', 'kernel', '6', '1', 'os', 'linux',
         'v2', 'manifests', '10', '7', actor, 'team' || n % 50, 'app' || n % 2000, request::text, 'n' || n % 200]
         || string_to_array(event, '.')
  FROM (SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS request,
               timestamptz '2026-11-01Z' - n * (interval '1 year' / $3::float8) AS at,
               (ARRAY['image.pull','image.pull','image.pull','image.push','auth.login','staging.pulled'])[1 + n % 6] AS event,
               CASE WHEN n % ($3::int / 3) = 77 THEN 'rare' WHEN n > $3 / 2 AND n % 4 = 0 THEN 'former'
                    ELSE 'user' || n % 40 END AS actor
          FROM generate_series($1::int, $2::int) n) e`;

const ASKED: [string, AuditFilter][] = [
  ['all, newest first', {}],
  ['one account', { actor: 'user7' }],
  ['an account that left half a year ago', { actor: 'former' }],
  ['one kind', { event: 'image.push' }],
  ['account and kind', { actor: 'former', event: 'auth.login' }],
  ['account and kind, of which there are none', { actor: 'user7', event: 'oidc.settings' }],
  ['a month half a year ago', { since: new Date('2026-04-01'), until: new Date('2026-05-01') }],
  ['search: frequent', { q: 'docker' }],
  ['search: one image', { q: 'team7/app1507' }],
  ['search: three events of a year', { q: 'rare' }],
  ['search: nothing', { q: 'nothing' }],
  ['search: an eighth of all, but none in half a year', { q: 'former' }],
  ['search in one account', { actor: 'former', q: 'docker' }],
  ['search: words in every event, a piece in none', { q: 'v2/manifests' }],
];

await using database = await createDatabase();
await using parts = new AsyncDisposableStack();
const sql = await connection();
const began = performance.now();
await fill(millions * 1_000_000);
process.stdout.write(`filled in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
const store = openStore(database.url, { seal: (text) => text, open: (text) => text });
for (const [name, filter] of ASKED) {
  const first = await times(filter, null);
  const deep = await times(filter, {
    at: new Date('2026-02-01'),
    id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  });
  process.stdout.write(`| ${name} | ${first} | ${deep} |\n`);
}
await store.close();

/**
 * Rows first, indexes afterwards: ten million rows in minutes instead of hours. Nothing needs to
 * survive a crash.
 */
async function fill(rows: number): Promise<void> {
  const { rows: indexes } = await sql.query<{ indexdef: string; indexname: string }>(
    "SELECT indexdef, indexname FROM pg_indexes WHERE tablename = 'audit_events' AND indexname <> 'audit_events_pkey'",
  );
  await sql.query('ALTER TABLE audit_events DROP CONSTRAINT audit_events_pkey, SET UNLOGGED');
  for (const { indexname } of indexes) await sql.query(`DROP INDEX ${indexname}`);
  await Promise.all([generate(1, rows), generate(2, rows)]);
  await sql.query("SET maintenance_work_mem = '1GB'");
  await sql.query('ALTER TABLE audit_events ADD PRIMARY KEY (id)');
  for (const { indexdef } of indexes) await sql.query(indexdef);
  await sql.query('VACUUM ANALYZE audit_events');
  const { rows: sizes } = await sql.query(
    `SELECT pg_size_pretty(pg_table_size('audit_events')) AS rows, pg_size_pretty(pg_indexes_size('audit_events')) AS indexes,
            pg_size_pretty(pg_relation_size('audit_events_day_words_idx')) AS words`,
  );
  process.stdout.write(`${JSON.stringify(sizes[0])}\n`);
}

/**
 * Every second step, so that two side by side insert rows in the order of their times, as the
 * notifier does.
 */
async function generate(first: number, rows: number): Promise<void> {
  const own = await connection();
  for (let from = 1 + (first - 1) * STEP; from <= rows; from += 2 * STEP)
    await own.query(GENERATE, [from, Math.min(rows, from + STEP - 1), rows]);
}

/** Closed before the database is dropped, also after an error. */
async function connection() {
  const opened = await openSql(database.url);
  parts.defer(() => opened.end());
  return opened;
}

/** Median and maximum, in milliseconds. */
async function times(filter: AuditFilter, after: AuditPosition | null): Promise<string> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await store.audit.list(filter, { after });
    taken.push(performance.now() - began);
  }
  taken.sort((a, b) => a - b);
  return `${taken[ROUNDS >> 1]?.toFixed(0)} (${taken.at(-1)?.toFixed(0)})`;
}
