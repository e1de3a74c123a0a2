/**
 * `npm run bench mirror [-- rounds]`: a folder that mirrors a registry. The first pull of an image
 * of 100 MB against what people do by hand, reads of what is here against an ordinary folder, 200
 * clients at once, and the cost of asking about a tag.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  pushImage,
  registryClients,
  serveVulnerabilityDb,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { openMirrorSite } from '../../tests/api/mirror/mirror-site.ts';
import { AIMS, type AimId, boundOf, marked, table } from './aims.ts';
import { median } from './figures.ts';
import { run } from './measure.ts';

const rounds = Number(process.argv[2] ?? 5);
/** Threads start and code is compiled in the first pulls of a worker. */
const WARM_UP = 3;
const CLIENTS = 200;
const READS = 2_000;
const TAGS = 50;
const CHECK_ROUNDS = 20;
const REUSE_MS = 1_100;
const MIB = 2 ** 20;
const BYTES = 100 * MIB;
const IMAGE = 'lib/large';

await using parts = new AsyncDisposableStack();
const site = parts.use(await openMirrorSite());
const dir = parts.use(await temporaryDir());
await site.mirror('up');
await site.mirror('direct', { registry_id: await site.saveRegistry(site.origin.host) });

/**
 * Seconds of a shell command with crane and Trivy at `$crane` and `$trivy`. It does not begin while
 * the disk still writes what was before.
 */
async function timed(command: string): Promise<number> {
  await run(['sync']);
  const { crane } = await registryClients();
  const env = [`crane=${crane}`, `trivy=${await testTrivy()}`, `DOCKER_CONFIG=${dir.path}`];
  const { seconds } = await run(['env', ...env, 'sh', '-ec', `exec >&2\n${command}`]);
  return seconds;
}

async function prepareClients(): Promise<void> {
  const auth = Buffer.from('dev:pass-of-dev').toString('base64');
  const config = { auths: { [site.api.host]: { auth } } };
  await writeFile(path.join(dir.path, 'config.json'), JSON.stringify(config));
  const database = await serveVulnerabilityDb(site.origin.url);
  await timed(
    `$trivy image --quiet --insecure --download-db-only --db-repository ${database} --cache-dir ${dir.path}/trivy`,
  );
}

/** An image is new to both sides in each round. Their ratio: through the gate ÷ by hand. */
async function firstPulls(): Promise<number> {
  const taken: number[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const name = `${IMAGE}-${round}`;
    await site.publish(name, '1', 'clean', BYTES);
    const out = path.join(dir.path, `round-${round}`);
    await mkdir(out);
    const ours = () =>
      timed(`$crane pull --insecure ${site.api.host}/direct/${name}:1 ${out}/ours.tar`);
    const byHand = () =>
      timed(`$crane pull --insecure ${site.origin.host}/${name}:1 ${out}/hand.tar
        $trivy image --quiet --skip-db-update --cache-dir ${dir.path}/trivy --input ${out}/hand.tar >/dev/null 2>&1
        $crane push --insecure ${out}/hand.tar ${site.origin.host}/by-hand/${name}:1 >/dev/null 2>&1`);
    const isOursFirst = round % 2 === 0;
    const first = await (isOursFirst ? ours : byHand)();
    const second = await (isOursFirst ? byHand : ours)();
    if (round >= 0) taken.push(isOursFirst ? first / second : second / first);
    await rm(out, { recursive: true });
  }
  return median(taken);
}

async function read(name: string): Promise<number> {
  const started = performance.now();
  const response = await site.read(name);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${name} was answered with ${response.status}`);
  return performance.now() - started;
}

/** The same image in a folder that mirrors nothing; the median of the ratios of neighbours. */
async function knownReads(): Promise<number> {
  const image = await site.publish('lib/known', '1', 'clean');
  await read('up/lib/known/manifests/1');
  await pushImage(site.api.registry.url, 'plain/lib/known', '1', image);
  const { folderId } = await site.api.grant(await devId(), 'plain', { canPull: true });
  await site.api.store.folders.update(folderId, { pullGate: 'enforce' });
  const at = (folder: string) => read(`${folder}/lib/known/manifests/${image.digest}`);
  const taken: number[] = [];
  for (let nth = -READS / 10; nth < READS; nth += 1) {
    const isPlainFirst = nth % 2 === 0;
    const first = await at(isPlainFirst ? 'plain' : 'up');
    const second = await at(isPlainFirst ? 'up' : 'plain');
    if (nth >= 0) taken.push(isPlainFirst ? second / first : first / second);
  }
  return median(taken);
}

async function devId(): Promise<string> {
  const dev = await site.api.store.users.findByUsername('dev');
  return dev?.id ?? '';
}

/** How often the upstream served a blob of an image that many asked for at once, at most. */
async function crowd(): Promise<number> {
  const { blobs } = await site.publish('lib/crowd', '1', 'clean', 10 * MIB);
  site.upstream.seen.length = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, () => readPatiently('up/lib/crowd/manifests/1')),
  );
  const served = site.upstream.blobGets();
  const timesOf = (digest: string) => served.filter((each) => each.path.endsWith(digest)).length;
  return Math.max(...blobs.map(({ descriptor }) => timesOf(descriptor.digest)));
}

/** Repeats the read after `Retry-After` while it is answered with 429. */
async function readPatiently(name: string): Promise<void> {
  for (;;) {
    const response = await site.read(name);
    await response.arrayBuffer();
    if (response.status === 200) return;
    const seconds = response.headers.get('retry-after');
    if (seconds === null) throw new Error(`${name} was answered with ${response.status}`);
    await setTimeout(Number(seconds) * 1_000);
  }
}

interface Checks {
  /** Requests to the upstream for each tag. */
  requests: number;
  /** Milliseconds of the CPU of the api for each tag. */
  cpu: number;
}

/** As the task of each minute asks about them. */
async function checks(): Promise<Checks> {
  const image = await site.publish('lib/tags', '0', 'clean');
  for (let tag = 1; tag < TAGS; tag += 1)
    await pushImage(site.origin.url, 'lib/tags', String(tag), image);
  await readTags('up');
  site.upstream.seen.length = 0;
  await cpuOfChecks();
  const requests = site.upstream.seen.length / TAGS;
  await site.sql.query('DELETE FROM mirror_tags');
  // The upstream that counts requests runs in this process.
  await readTags('direct');
  const taken: number[] = [];
  for (let round = 0; round < CHECK_ROUNDS; round += 1) taken.push(await cpuOfChecks());
  return { requests, cpu: median(taken) };
}

async function readTags(folder: string): Promise<void> {
  for (let tag = 0; tag < TAGS; tag += 1) await read(`${folder}/lib/tags/manifests/${tag}`);
}

async function cpuOfChecks(): Promise<number> {
  // All processes together ask so many times a minute, and a process not twice in a second.
  await setTimeout(REUSE_MS);
  await site.due();
  await site.sql.query(`UPDATE mirror_tags SET checked_at = now() - interval '1 hour'`);
  const before = process.cpuUsage();
  await site.api.checkMirrors();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / TAGS;
}

await prepareClients();
const { requests, cpu } = await checks();
const measured: [AimId, number][] = [
  ['mirrorFirst', await firstPulls()],
  ['mirrorKnown', await knownReads()],
  ['mirrorCrowd', await crowd()],
  ['mirrorChecks', requests],
  ['mirrorCheckCpu', cpu],
];
const rows = measured.map(([id, value]) => [
  AIMS[id].work,
  boundOf(AIMS[id]),
  marked(AIMS[id], value),
]);
process.stdout.write(table(['work', 'aim', 'measured'], rows));
