/**
 * `npm run bench admission [-- rounds]`: 200 reviews of pods at once, as an API server asks when a
 * deployment of 200 pods is created. Over HTTPS, on connections that are open and on new ones. Each
 * pod has two images: by tag of 20 images with 300 findings each, as pods of many deployments have
 * them; of two images, as those of one; and by digest, as the webhook that pins leaves them. The
 * standings are in memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { AIMS, boundOf, marked, table } from './aims.ts';
import { costOf } from './cpu.ts';
import { median } from './figures.ts';

const AT_ONCE = 200;
const rounds = Number(process.argv[2] ?? 20);
const server = spawn(process.execPath, [path.join(import.meta.dirname, 'admission-server.ts')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});

/** What the api took for some of them. */
interface Taken {
  answers: Answer[];
  /** Seconds of CPU. */
  cpu: number;
}

interface Site {
  port: number;
  ca: string;
  images: string[];
  pinned: string[];
}

let serial = 0;

function reviewOf(images: readonly string[]): string {
  const uid = String(++serial);
  const named = [serial, serial + 7].map((nth) => images[nth % images.length]);
  const containers = named.map((image, nth) => ({ name: `c${nth}`, image }));
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      ...{ uid, kind: { group: '', version: 'v1', kind: 'Pod' }, operation: 'CREATE' },
      ...{ namespace: `n${serial % 50}`, name: 'app', userInfo: { username: 'controller' } },
      object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'app' }, spec: { containers } },
    },
  });
}

interface Answer {
  /** Until the whole of it is there. */
  ms: number;
  isAdmitted: boolean;
}

function ask({ port, ca }: Site, images: readonly string[], agent: Agent): Promise<Answer> {
  const body = reviewOf(images);
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const to = { host: '127.0.0.1', port, path: '/admission/enforce/bench', method: 'POST' };
    const asking = request({ ...to, ca, agent, headers }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve({
        ms: performance.now() - started,
        isAdmitted: text.includes('"allowed":true'),
      });
    });
    asking.once('error', reject).end(body);
  });
}

const crowd = (site: Site, images: readonly string[], agent: Agent) =>
  Promise.all(Array.from({ length: AT_ONCE }, () => ask(site, images, agent)));

/** The 99th percentile. */
function slowest(answers: readonly Answer[]): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

async function time(site: Site, images: readonly string[], isOpen = true): Promise<Answer[]> {
  const kept = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const taken: Answer[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const agent = isOpen ? kept : new Agent({ keepAlive: false });
    taken.push(...(await crowd(site, images, agent)));
  }
  kept.destroy();
  return taken;
}

async function timeAlone(site: Site): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: Answer[] = [];
  for (let nth = 0; nth < 300; nth += 1) taken.push(await ask(site, site.images, agent));
  agent.destroy();
  return taken;
}

try {
  const [line] = await once(server.stdout, 'data');
  const site: Site = JSON.parse(String(line));
  const taking = async (work: () => Promise<Answer[]>): Promise<Taken> => {
    const answers: Answer[] = [];
    const { cpu } = await costOf(server.pid ?? 0, async () => answers.push(...(await work())));
    return { answers, cpu };
  };
  // What runs for the first time is not counted.
  await time(site, site.images);
  const alone = await taking(() => timeAlone(site));
  const open = await taking(() => time(site, site.images));
  const rows: [string, Taken][] = [
    ['one after the other, by tag', alone],
    [`${AT_ONCE} at once, by tag, of 20 images`, open],
    [
      `${AT_ONCE} at once, by tag, of two images`,
      await taking(() => time(site, site.images.slice(0, 2))),
    ],
    [`${AT_ONCE} at once, by digest, of 20 images`, await taking(() => time(site, site.pinned))],
    [
      `${AT_ONCE} at once, by tag, each on a new connection`,
      await taking(() => time(site, site.images, false)),
    ],
  ];
  const cells = rows.map(([title, { answers, cpu }]) => [
    title,
    `${median(answers.map(({ ms }) => ms)).toFixed(1)} ms`,
    `${slowest(answers).toFixed(1)} ms`,
    `${((cpu * 1_000) / answers.length).toFixed(2)} ms`,
    `${answers.filter(({ isAdmitted }) => !isAdmitted).length} of ${answers.length}`,
  ]);
  process.stdout.write(
    table(['reviews', 'p50', 'p99', 'CPU of the api for each', 'not decided in time'], cells),
  );
  const aim = AIMS.admission;
  process.stdout.write(`\n${aim.work}: ${boundOf(aim)}, ${marked(aim, slowest(open.answers))}\n`);
} finally {
  server.stdin.end();
  await once(server, 'exit');
}
