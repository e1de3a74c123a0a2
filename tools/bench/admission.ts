/**
 * `npm run bench admission [-- rounds]`: 200 reviews of pods at once, as an API server asks when a
 * deployment of 200 pods is created: on one connection of HTTP/2. Beside it over HTTP/1.1, with a
 * connection for each. Each pod has two images: by tag of 20 images with 300 findings each, as pods
 * of many deployments have them; of two images, as those of one; and by digest, as the webhook that
 * pins leaves them. The standings are in memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request } from 'node:https';
import path from 'node:path';
import { AIMS, boundOf, marked, table } from './aims.ts';
import { costOf } from './cpu.ts';
import { median } from './figures.ts';

const AT_ONCE = 200;
const PATH = '/admission/enforce/bench';
const HEADERS = { 'content-type': 'application/json' };
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

type Ask = (images: readonly string[]) => Promise<Answer>;

/** As an API server has them: one connection of HTTP/2. */
function overHttp2(session: ClientHttp2Session): Ask {
  return async (images) => {
    const started = performance.now();
    const asking = session.request({ ...HEADERS, ':method': 'POST', ':path': PATH });
    asking.end(reviewOf(images));
    return answered(started, await asking.setEncoding('utf8').toArray());
  };
}

/** A connection for each. */
function overHttp1({ port, ca }: Site): Ask {
  return (images) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const to = { host: '127.0.0.1', port, path: PATH, method: 'POST', agent: false } as const;
      request({ ...to, ca, headers: HEADERS }, async (response) =>
        resolve(answered(started, await response.setEncoding('utf8').toArray())),
      )
        .once('error', reject)
        .end(reviewOf(images));
    });
}

function answered(started: number, text: string[]): Answer {
  return {
    ms: performance.now() - started,
    isAdmitted: text.join('').includes('"allowed":true'),
  };
}

async function crowds(ask: Ask, images: readonly string[]): Promise<Answer[]> {
  const taken: Answer[] = [];
  for (let round = 0; round < rounds; round += 1)
    taken.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => ask(images)))));
  return taken;
}

async function alone(ask: Ask, images: readonly string[]): Promise<Answer[]> {
  const taken: Answer[] = [];
  for (let nth = 0; nth < 300; nth += 1) taken.push(await ask(images));
  return taken;
}

/** The 99th percentile. */
function slowest(answers: readonly Answer[]): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

try {
  const [line] = await once(server.stdout, 'data');
  const site: Site = JSON.parse(String(line));
  const taking = async (work: () => Promise<Answer[]>): Promise<Taken> => {
    const answers: Answer[] = [];
    const { cpu } = await costOf(server.pid ?? 0, async () => answers.push(...(await work())));
    return { answers, cpu };
  };
  const session = connect(`https://127.0.0.1:${site.port}`, { ca: site.ca });
  const ask = overHttp2(session);
  // What runs for the first time is not counted.
  await crowds(ask, site.images);
  await crowds(overHttp1(site), site.images);
  const open = await taking(() => crowds(ask, site.images));
  const two = site.images.slice(0, 2);
  const rows: [string, Taken][] = [
    ['one after the other, by tag', await taking(() => alone(ask, site.images))],
    [`${AT_ONCE} at once, by tag, of 20 images`, open],
    [`${AT_ONCE} at once, by tag, of two images`, await taking(() => crowds(ask, two))],
    [`${AT_ONCE} at once, by digest, of 20 images`, await taking(() => crowds(ask, site.pinned))],
    [
      `${AT_ONCE} at once, by tag, each on a new connection of HTTP/1.1`,
      await taking(() => crowds(overHttp1(site), site.images)),
    ],
  ];
  session.destroy();
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
