/**
 * The api for `npm run bench push-clients`, in a separate process with a notifier beside it. Prints
 * one line of JSON once both listen, and what index and archive contain at the end of its input.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { openSql } from '@portcullis/testing';
import { startApi } from '../../apps/api/src/api.fixture.ts';
import { redisPid } from './redis-pid.ts';

const [clients = 200, tagsBefore = 0] = process.argv.slice(2).map(Number);
const repository = process.argv[4] ?? 'team/app';

// All accounts log in from one address.
const api = await startApi({ RATE_LIMIT_PER_MINUTE: '10000' });
const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
const tokens = [];
for (let nth = 0; nth < clients; nth += 1) {
  const id = await api.account(`bench-${nth}`);
  await api.grant(id, 'team', { canPull: true, canPush: true });
  tokens.push(await tokenOf(`bench-${nth}`));
}
await fillIndex();

const notifier = spawn(
  process.execPath,
  [path.join(import.meta.dirname, '../../apps/notifier/src/main.ts')],
  { env: { ...process.env, ...api.surroundings.env, LOG_LEVEL: 'error' }, stdio: 'inherit' },
);

/** As CI has one: checking a password costs a third of a second. */
async function tokenOf(username: string): Promise<string> {
  const client = await api.as(username);
  const made = await client.post('/api/auth/tokens', { name: 'bench', scope: 'docker' });
  return (await made.json()).token;
}

/** Tags that the repository had before, in the index only. */
async function fillIndex(): Promise<void> {
  if (tagsBefore === 0) return;
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
     VALUES ($1, 'team', now(), now())`,
    [repository],
  );
  const digest = `'sha256:' || lpad(to_hex(n), 64, '0')`;
  await sql.query(
    `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
     SELECT $1, ${digest}, 'application/vnd.oci.image.manifest.v1+json', 500, 5000, '{}', now()
       FROM generate_series(1, $2::int) n`,
    [repository, tagsBefore],
  );
  await sql.query(
    `INSERT INTO local_contents (repository, parent, digest, size, is_manifest)
     SELECT $1, ${digest}, 'sha256:' || lpad(to_hex(n * 10 + part + 100000000), 64, '0'), 1000, false
       FROM generate_series(1, $2::int) n, generate_series(1, 5) part`,
    [repository, tagsBefore],
  );
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     SELECT $1, 'before-' || n, ${digest}, now() FROM generate_series(1, $2::int) n`,
    [repository, tagsBefore],
  );
  await sql.query('ANALYZE');
}

async function countOf(text: string): Promise<number> {
  const { rows } = await sql.query(text);
  return Number(rows[0]?.count);
}

const database = new URL(api.surroundings.env.DATABASE_URL ?? '').pathname.slice(1);
const pids = {
  api: process.pid,
  notifier: notifier.pid,
  registry: api.registry.pid,
  Redis: await redisPid(api.redis),
};
process.stdout.write(`${JSON.stringify({ url: api.url, database, pids, tokens })}\n`);
process.stdin.resume().once('end', async () => {
  const found = {
    indexed: await countOf(`SELECT count(*) FROM local_tags WHERE tag LIKE 'push-%'`),
    audited: await countOf(
      `SELECT count(*) FROM audit_events WHERE event = 'image.push' AND outcome = 'success'`,
    ),
    waiting: await countOf('SELECT count(*) FROM audit_outbox'),
  };
  process.stdout.write(`${JSON.stringify(found)}\n`);
  notifier.kill();
  await once(notifier, 'exit');
  await sql.end();
  await api.stop();
  process.exit(0);
});
