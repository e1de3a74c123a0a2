/**
 * `npm run bench statements [-- images [changed]]`: states what changed of many tagged images, by
 * the worker's own code on a real PostgreSQL, Redis and registry. Of the images that do not change
 * only the rows are made beforehand. It fails where another number of statements changes than of
 * standings.
 */
import { generateSigningKey, openSigningKey } from '@portcullis/attest';
import { createIndexKeeper, createWriteLock } from '@portcullis/local-registry';
import { forEachAtMost } from '@portcullis/oci';
import { createTransport } from '@portcullis/oci/remote';
import { openRedis, sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import { createDatabase, openSql, startRedis, startRegistry } from '@portcullis/testing';
import { statementKeeper } from '../../apps/worker/src/tasks/statements/keep-statements.ts';
import { createPreparation } from '../../apps/worker/src/tasks/statements/prepare-statement.ts';
import { localRepositories } from '../../packages/registry-access/src/registry-access.ts';
import { AIMS, marked, table } from './aims.ts';

const images = Number(process.argv[2] ?? 10_000);
const changed = Number(process.argv[3] ?? images / 10);
const TAGS = 100;

const parts = new AsyncDisposableStack();
const [database, server, registry] = await Promise.all([
  createDatabase({ asDelivered: true }),
  startRedis({ asDelivered: true }),
  startRegistry(),
]);
for (const part of [database, server, registry]) parts.use(part);
const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
const redis = openRedis(server.url, { mode: 'patient' });
const sql = await openSql(database.url);
parts.defer(async () => {
  await sql.end();
  redis.disconnect();
  await store.close();
});

async function populate(): Promise<void> {
  await sql.query(
    `INSERT INTO folders (id, name, statements)
     VALUES (gen_random_uuid(), 'team', 'on')`,
  );
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
     SELECT 'team/' || n, 'team', now(), now() FROM generate_series(0, $1::int / $2::int) n`,
    [images, TAGS],
  );
  const made = `SELECT 'team/' || n / $2::int AS repository, n::text AS tag,
                       'sha256:' || encode(sha256(n::text::bytea), 'hex') AS digest
                  FROM generate_series(1, $1::int) n`;
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     SELECT repository, tag, digest, now() FROM (${made}) made`,
    [images, TAGS],
  );
  await sql.query(
    `INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
     SELECT repository, digest, 'application/vnd.oci.image.manifest.v1+json', 500, 500, '{}', now()
       FROM (${made}) made`,
    [images, TAGS],
  );
  await sql.query('ANALYZE');
}

/** @param from,to numbers of images */
async function judge(from: number, to: number): Promise<void> {
  await sql.query(
    `INSERT INTO image_standings (repository, digest, folder, passes, verdict, policy, policy_version,
                                  policy_digest, mark, since, judged_at)
     SELECT repository, digest, 'team', TRUE, 'clean', 'default', '1', 'f00d', '', now(), now()
       FROM local_tags WHERE tag::int BETWEEN $1 AND $2`,
    [from, to],
  );
}

/** As `keepAll` leaves the rows, without the documents. */
async function recordAll(): Promise<void> {
  for (let due = await store.statements.due(500); due.length > 0; ) {
    await forEachAtMost(4, due, async (place) => {
      const claimed = await store.statements.claim(place);
      if (!claimed?.wanted) throw new Error('a statement that is due is wanted');
      const { says } = claimed.wanted;
      const written = { says, keyId: key.id, manifest: place.digest, tagged: null, event: null };
      await store.statements.written(claimed, written);
      await store.statements.release(claimed);
    });
    due = await store.statements.due(500);
  }
}

const privateKey = generateSigningKey();
const key = openSigningKey(privateKey);
let clock = 0;
const keeper = createKeeper();

function createKeeper() {
  const { host } = new URL(registry.url);
  const transport = createTransport();
  const open = localRepositories({ host, transport, tls: 'off' }, store.referrers);
  const local = {
    keeper: createIndexKeeper({ index: store.images, open }),
    registryLock: createWriteLock(redis),
  };
  return statementKeeper({
    ...{ statements: store.statements, referrers: store.referrers, open, ...local },
    ...createPreparation({
      store,
      open,
      ...local,
      statementsIn: async () => new Set(),
      stated: { publicUrl: null, version: '0' },
    }),
    signer: async () => key,
    audit: { flushSoon: () => {} },
    searchFactor: 0,
    // Each look is later than any pause.
    now: () => {
      clock += 3_600_000;
      return new Date(clock);
    },
    log: { info: () => {}, warn: ({ err }: { err?: unknown }) => print(String(err)) },
  });
}

const print = (line: string) => void process.stdout.write(`${line}\n`);

interface Kept {
  written: number;
  seconds: number;
  cpuSeconds: number;
}

/** Until nothing is due. */
async function keepAll(): Promise<Kept> {
  const before = await manifests();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  while (await keeper(new AbortController().signal)) {}
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const now = await manifests();
  const written = [...now].filter((manifest) => !before.has(manifest)).length;
  return { written, seconds, cpuSeconds: (user + system) / 1e6 };
}

async function manifests(): Promise<Set<string>> {
  const { rows } = await sql.query('SELECT manifest FROM image_statements');
  return new Set(rows.map(({ manifest }) => manifest));
}

const shown = ({ written, seconds, cpuSeconds }: Kept) => [
  ...[String(written), seconds.toFixed(1), cpuSeconds.toFixed(1)],
  written === 0 ? '–' : (written / seconds).toFixed(0),
];

await populate();
await store.signingKeys.insertFirst({ id: key.id, publicKey: key.publicKey, privateKey });
await judge(1, changed);
const first = await keepAll();
await judge(changed + 1, images);
await recordAll();
await sql.query(
  `UPDATE image_standings SET passes = FALSE, code = 'VULN_BLOCKED', verdict = 'blocked'
    WHERE (repository, digest) IN (SELECT repository, digest FROM local_tags
                                    WHERE tag::int <= $1)`,
  [changed],
);
const again = await keepAll();
const idle = await keepAll();
const head = ['run', 'statements', 'seconds', 'CPU of the worker in s', 'a second'];
print(
  table(head, [
    [`${changed} images for the first time`, ...shown(first)],
    [`${changed} standings of ${images} changed`, ...shown(again)],
    ['nothing is due', ...shown(idle)],
  ]),
);
print(`${AIMS.statements.work}: ${marked(AIMS.statements, again.seconds)}`);
await parts.disposeAsync();
if (again.written !== changed || idle.written !== 0) {
  print(`${again.written} statements changed, and ${idle.written} after that`);
  process.exitCode = 1;
}
