/**
 * `npm run bench verdicts [-- rounds]`: what a verdict costs beside plain Trivy. Thirty images of
 * 12 MB, half of each a common base, are staged with and without a scan; on a base that is new, and
 * on one whose images were scanned before; by one worker and by two.
 */
import path from 'node:path';
import {
  debianImage,
  type Files,
  pushImage,
  randomFiles,
  registryClients,
  serveVulnerabilityDb,
  startRegistry,
  temporaryDir,
  testTrivy,
} from '@portcullis/testing';
import { openHarness } from '../../tests/worker/harness.ts';
import { AIMS, type AimId, boundOf, marked, table } from './aims.ts';
import { median } from './figures.ts';
import { run } from './measure.ts';

const rounds = Number(process.argv[2] ?? 5);
const IMAGES = 30;
const LONGEST_MS = 600_000;
const HALF = 6 * 2 ** 20;
const PACKAGES = [{ name: 'openssl', version: '3.0.11-1~deb12u1' }];

await using parts = new AsyncDisposableStack();
const source = await startRegistry();
parts.defer(source.stop);
const harness = parts.use(await openHarness({ asDelivered: true }));
const dir = parts.use(await temporaryDir());
const trivy = await testTrivy();
const { crane } = await registryClients();
const database = await serveVulnerabilityDb(source.url);
const env = { TRIVY_ENABLED: 'true', TRIVY_PATH: trivy, TRIVY_DB_REPOSITORY: database };
const settings = { ...env, EGRESS_ALLOW: '127.0.0.1' };

let serial = 0;

/** The names of images that were never seen, on this base. */
async function publish(base: Files): Promise<string[]> {
  const names = Array.from({ length: IMAGES }, () => `image-${++serial}`);
  for (const name of names) {
    const more = [base, randomFiles(HALF, `${name}.bin`)];
    await pushImage(source.url, name, '1', await debianImage({ packages: PACKAGES, more }));
  }
  return names;
}

/** Seconds until all of them are staged. */
async function stage(images: readonly string[], isScanned: boolean): Promise<number> {
  const overrides = { vulnScanEnabled: isScanned, vulnSeverities: null };
  const started = performance.now();
  const jobs = await Promise.all(
    images.map((image) => harness.submit({ image, tag: '1', host: source.host, overrides })),
  );
  for (const { id } of jobs) {
    const { verdict, error } = await harness.settled(id, LONGEST_MS);
    const isRight = isScanned ? verdict !== 'skipped' && error === null : verdict === 'skipped';
    if (!isRight) throw new Error(`${id} is ${verdict}: ${JSON.stringify(error)}`);
  }
  return (performance.now() - started) / 1000;
}

/** Seconds of `trivy image --input`, one process after the other, on layouts of these images. */
async function plain(images: readonly string[]): Promise<number> {
  const layouts = images.map((image) => path.join(dir.path, image));
  for (const [nth, image] of images.entries())
    await run([
      crane,
      'pull',
      '--insecure',
      '--format=oci',
      `${source.host}/${image}:1`,
      layouts[nth] ?? '',
    ]);
  const cache = path.join(dir.path, 'trivy');
  const options = ['--quiet', '--skip-db-update', '--skip-java-db-update', '--offline-scan'];
  const scan = [trivy, 'image', ...options, '--scanners', 'vuln', '--format', 'json'];
  const each = `for layout; do "$trivy" ${scan.slice(1).join(' ')} --cache-dir "$cache" --input "$layout" >/dev/null; done`;
  const { seconds } = await run([
    'env',
    `trivy=${trivy}`,
    `cache=${cache}`,
    'sh',
    '-ec',
    each,
    'sh',
    ...layouts,
  ]);
  await run(['rm', '-rf', ...layouts]);
  return seconds;
}

async function downloadDatabase(): Promise<void> {
  const from = [
    '--insecure',
    '--db-repository',
    database,
    '--cache-dir',
    path.join(dir.path, 'trivy'),
  ];
  await run([trivy, 'image', '--quiet', '--download-db-only', ...from]);
}

await downloadDatabase();
const first = await harness.startWorker(settings);
await stage(await publish(randomFiles(1_000, 'warm.bin')), true);
const taken: Record<'known' | 'new', number[]> & { workers: number[] } = {
  ...{ new: [], known: [], workers: [] },
};
const milliseconds: string[] = [];
for (let round = 0; round < rounds; round += 1) {
  const [base, other] = [0, 1].map((nth) => randomFiles(HALF, `base-${round}-${nth}.bin`));
  for (const kind of ['new', 'known'] as const) {
    const alone = await stage(await publish(other ?? {}), false);
    const images = await publish(base ?? {});
    const scanned = await stage(images, true);
    const byHand = await plain(images);
    taken[kind].push((scanned - alone) / byHand);
    milliseconds.push(
      `${kind}: ${[scanned - alone, byHand].map((each) => ((each * 1000) / IMAGES).toFixed(0)).join(' and ')} ms`,
    );
  }
}
const one = async () => stage(await publish(randomFiles(HALF, `one-${++serial}.bin`)), true);
for (let round = 0; round < rounds; round += 1) {
  const withOne = await one();
  const second = await harness.startWorker(settings);
  const withTwo = await one();
  await second.kill('SIGTERM');
  taken.workers.push(withOne / withTwo);
}
await first.kill('SIGTERM');
const measured: [AimId, number][] = [
  ['verdictNew', median(taken.new)],
  ['verdictKnown', median(taken.known)],
  ['verdictWorkers', median(taken.workers)],
];
const rows = measured.map(([id, value]) => [
  AIMS[id].work,
  boundOf(AIMS[id]),
  marked(AIMS[id], value),
]);
process.stdout.write(table(['work', 'aim', 'measured'], rows));
process.stdout.write(`\nA verdict, and plain Trivy: ${milliseconds.join('; ')}\n`);
