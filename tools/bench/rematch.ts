/**
 * `npm run bench rematch [images] [changed packages]`: compares made-up images of 150 to 900
 * packages with a new vulnerability database, through the real Trivy server, Redis and PostgreSQL.
 * Prints the images per second, the CPU time per image, and the share that was left out because
 * none of its packages changed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLogger, openRedis, sealer } from '@portcullis/runtime';
import { createScanner, type Matcher, scannerPaths, writeBinaryState } from '@portcullis/scanner';
import { openStore } from '@portcullis/store';
import {
  createDatabase,
  go,
  openSql,
  serveVulnerabilityDb,
  startRedis,
  startRegistry,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { recordRematch } from '../../apps/worker/src/tasks/scans/record-report.ts';
import { rematcher } from '../../apps/worker/src/tasks/scans/rematches.ts';
import { openAnalyses } from '../../packages/scanner/src/rematch/analyses.ts';
import { advisories, DATABASE_PACKAGES, images, type MadeImage, sha } from './rematch-data.ts';

const count = Number(process.argv[2] ?? 2_000);
const changedPackages = Number(process.argv[3] ?? 50);
const FIXTURES = path.join(import.meta.dirname, '../../packages/scanner/fixture-db');
const VERSION = '0.74.0';
const TICKS_PER_SECOND = 100;
const log = createLogger({ name: 'bench', level: 'warn' });

const parts = new AsyncDisposableStack();
const [registry, server, database, dir, trivy] = await Promise.all([
  startRegistry(),
  startRedis(),
  createDatabase(),
  temporaryDir(),
  testTrivy(),
]);
for (const part of [dir, database, server, registry]) parts.use(part);
const redis = openRedis(server.url, { mode: 'patient' });
const store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
const sql = await openSql(database.url);
const scanner = createScanner({
  dataDir: dir.path,
  redisUrl: server.url,
  analyses: store.analyses,
  log,
});
const analyses = openAnalyses(server.url, store.analyses, log);
parts.defer(async () => {
  await analyses[Symbol.asyncDispose]();
  await scanner.close();
  await sql.end();
  await store.close();
  redis.disconnect();
});

const print = (line: string) => void process.stdout.write(`${line}\n`);

async function updateDatabase(name: string, day: number): Promise<number> {
  const at = new Date(Date.UTC(2026, 0, day)).toISOString();
  const content = await readFile(path.join(dir.path, name, 'trivy.db'));
  const repository = await serveVulnerabilityDb(registry.url, {
    content,
    metadata: { UpdatedAt: at, NextUpdate: at },
  });
  const started = performance.now();
  await scanner.updateDatabase({ repositories: [repository] });
  return performance.now() - started;
}

const ARTIFACT = { key: `fanal::artifact::${sha('artifact')}`, json: '{"SchemaVersion":1}' };

/** As after a scan: analyses in Redis, then in PostgreSQL, and a report of the older database. */
async function addImage(image: MadeImage, n: number, profile: string): Promise<void> {
  for (const { key, json } of [...image.layers, ARTIFACT]) await redis.set(key, json);
  await analyses.keep(image.digest, profile, {
    unseen: [],
    parts: [
      {
        digest: image.digest,
        platform: null,
        artifact: ARTIFACT.key,
        layers: image.layers.map(({ key, diffId }) => ({ key, diffId, name: diffId })),
        hasOs: true,
        unverified: [],
        isIndexed: false,
        unjudged: [],
        baseLayers: [],
        log: { alpineRepository: null, offEolList: false },
        archives: null,
        os: { family: 'debian', name: '12.5', eosl: false, extended: false },
      },
    ],
  });
  await store.reports.record({
    digest: image.digest,
    scannedAt: new Date(2025, 0),
    report: {
      coverage: 'full',
      notes: [],
      os: { family: 'debian', name: '12.5', eosl: false },
      targets: [],
      vulnerabilities: [],
      scanner: { name: 'trivy', version: VERSION, dbUpdatedAt: '2025-12-31T00:00:00Z' },
    },
  });
  await sql.query(
    `INSERT INTO local_tags (repository, tag, digest, updated_at)
     VALUES ('team/app', $1, $2, now() - $3 * interval '1 minute')`,
    [`v${n}`, image.digest, n],
  );
}

/** CPU seconds of a process: fields 14 and 15 of /proc/PID/stat. */
async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Runs the worker's own re-match until nothing is due. */
async function rematchAll(name: string): Promise<void> {
  const recording = {
    reports: store.reports,
    reportChanged: async () => {},
    now: () => new Date(),
  };
  const cpu = { server: 0, own: process.cpuUsage() };
  let memory = 0;
  async function startMatcher(): Promise<Matcher> {
    const matcher = await scanner.startMatcher();
    const dispose = async () => {
      cpu.server += await cpuOf(matcher.pid);
      memory = Math.max(memory, await memoryOf(matcher.pid));
      await matcher[Symbol.asyncDispose]();
    };
    return { ...matcher, [Symbol.asyncDispose]: dispose };
  }
  const { next } = rematcher({
    rematches: store.rematches,
    data: async () => {
      const [state, profile] = [await scanner.database(), await scanner.rematchProfile()];
      if (!state || profile === null) throw new Error('there is no database');
      return { dbUpdatedAt: new Date(state.updatedAt), javaSince: null, profile };
    },
    startMatcher,
    async rematch(digest, matcher) {
      const result = await matcher.match(digest);
      if (!result) return 'unmatched';
      return (await recordRematch(digest, result, recording)) ? 'changed' : 'same';
    },
    confirm: store.reports.confirm,
    searchFactor: 1,
    now: Date.now,
    log,
  });
  const started = performance.now();
  while (await next(new AbortController().signal));
  const seconds = (performance.now() - started) / 1000;
  const own = process.cpuUsage(cpu.own);
  const done = await store.rematches.progress();
  if (!done) throw new Error('nothing was re-matched');
  const { matched, skipped, changed, failed } = done;
  const all = matched + skipped;
  const perMatch = (value: number) => `${Math.round((value * 1000) / Math.max(1, matched))} ms`;
  print(
    `| ${name} | ${all} | ${(all / seconds).toFixed(1)} | ${perMatch(cpu.server)} + ${perMatch((own.user + own.system) / 1e6)} | ${((100 * skipped) / all).toFixed(1)} % | ${changed} | ${failed} | ${Math.round(memory)} MiB |`,
  );
}

try {
  await writeBinaryState(scannerPaths(dir.path).state, {
    state: 'ready',
    path: trivy,
    version: VERSION,
    message: 'ready',
  });
  const source = path.join(dir.path, 'advisories.json');
  await writeFile(source, JSON.stringify(advisories(changedPackages)));
  await go(['run', '.', path.join(dir.path, 'made'), source], { cwd: FIXTURES });
  await updateDatabase('made-earlier', 1);
  const profile = await scanner.rematchProfile();
  if (profile === null) throw new Error('there is no scanner');
  await sql.query(
    `INSERT INTO local_repositories (name, namespace, updated_at, seen_at)
     VALUES ('team/app', 'team', now(), now())`,
  );
  const made = images(count);
  for (const [n, image] of made.entries()) await addImage(image, n, profile);
  const { rows } = await sql.query<{ bytes: string; keys: string }>(
    'SELECT sum(length(content)) AS bytes, count(*) AS keys FROM scan_analyses',
  );
  const packages = made.reduce((sum, image) => sum + image.packages, 0);
  print(
    `${count} images, ${Math.round(packages / count)} packages on average; ${rows[0]?.keys} analyses of ${Math.round(Number(rows[0]?.bytes) / 1024)} KiB in PostgreSQL`,
  );
  await redis.flushall();
  print(
    '| run | images | images/s | CPU per compared image: server + worker | left out | other reports | failed | private memory of the server |',
  );
  print('|---|---|---|---|---|---|---|---|');
  await rematchAll('first report of each, Redis flushed');
  const ms = await updateDatabase('made', 2);
  await rematchAll(`${changedPackages} of ${DATABASE_PACKAGES} packages changed`);
  print(`the update with its comparison of both databases took ${Math.round(ms)} ms`);
} finally {
  await parts.disposeAsync();
}
