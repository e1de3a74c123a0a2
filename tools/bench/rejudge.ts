/**
 * `npm run bench rejudge [-- images]`: judges tagged images again after a policy changed, by the
 * worker's own code on a real PostgreSQL; first all of them for the first time.
 */
import { DEFAULT_POLICY, defaultPolicy } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import { createDatabase, openSql } from '@portcullis/testing';
import { standingKeeper } from '../../apps/worker/src/tasks/standings/keep-standings.ts';

const images = Number(process.argv[2] ?? 100_000);
const FINDINGS = 60;
const TAGS = 100;

const database = await createDatabase();
const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
let policy = { ...defaultPolicy(DEFAULT_POLICY), version: '1' };

async function populate(): Promise<void> {
  const sql = await openSql(database.url);
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
     SELECT 'team/' || n, 'team', now(), now() FROM generate_series(0, $1::int / $2::int) n`,
    [images, TAGS],
  );
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     SELECT 'team/' || n / $2::int, n::text, 'sha256:' || n, now() FROM generate_series(1, $1::int) n`,
    [images, TAGS],
  );
  const at = '2026-11-23T00:00:00.000Z';
  await sql.query(
    `INSERT INTO image_reports (digest, report, critical, high, medium, low, unknown, fixable,
                                scanner_version, db_updated_at, scanned_at, facts)
     SELECT 'sha256:' || n, '{}', 0, 0, 0, 0, 0, 0, '0', $3::text, $3::timestamptz,
            jsonb_build_object('coverage', 'full', 'lacksThirdPartyAlone', FALSE,
              'artifactType', NULL, 'databaseAt', $3::text, 'findings', (
              SELECT jsonb_agg(jsonb_build_object(
                       'id', 'CVE-2026-' || (n * 7 + f) % 20000,
                       'severity', (ARRAY['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])[1 + (n + f) % $4::int],
                       'package', 'package-' || f, 'installedVersion', '1.0',
                       'fixedVersion', '1.1', 'packageType', 'os', 'publishedAt', NULL))
                FROM generate_series(1, $2::int) f))
       FROM generate_series(1, $1::int) n`,
    [images, FINDINGS, at, 4],
  );
  await sql.query('ANALYZE');
  await sql.end();
}

async function judgeAll(what: string): Promise<void> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const modes = { pushGate: 'report', pullGate: 'off' } as const;
  const gate = {
    policyId: null,
    ...modes,
    immutableTags: [],
    quotaBytes: null,
    statements: 'off' as const,
  };
  const feeds = { kev: null, epss: null };
  const places = { policyOf: () => policy, gateOf: () => gate, defaultPolicy: policy };
  let judged = 0;
  const keeper = standingKeeper({
    store: {
      ...store,
      reports: {
        facts: (digests) => {
          judged += digests.length;
          return store.reports.facts(digests);
        },
      },
    },
    rules: async () => ({ ...places, waivers: [], feeds, authorities: new Map() }),
    audit: { flush: async () => {} },
    searchFactor: 1,
    now: () => new Date(),
    log: { info: () => {}, warn: () => {} },
  });
  await keeper.next(new AbortController().signal);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const own = ((user + system) / 1e6).toFixed(1);
  const line = `${what}: ${judged} images in ${seconds.toFixed(1)} s, ${own} s of own CPU`;
  process.stdout.write(`${line}\n`);
}

await populate();
await judgeAll('for the first time');
policy = { ...policy, version: '2', graceDays: 1 };
await judgeAll('another policy with the same result');
const rules = policy.rules.map((rule) => ({ ...rule, severities: ['CRITICAL' as const] }));
policy = { ...policy, version: '3', rules };
await judgeAll('another policy that clears all images');
await judgeAll('nothing is due');
await store.close();
await database.stop();
