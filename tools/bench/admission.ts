/**
 * `npm run bench admission [-- rounds]`: 200 reviews of pods at once, as an API server asks when a
 * deployment of 200 pods is created: on one connection of HTTP/2. Beside it over HTTP/1.1, with a
 * connection for each. Each pod has two images: by tag of 20 images with 300 findings each, as pods
 * of many deployments have them; of two images, as those of one; and by digest, as the webhook that
 * pins leaves them. The standings are in memory. Then 200 pods at once are created at a real API
 * server, which asks the webhook: what the webhook took of that.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request } from 'node:https';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startKubernetes } from '@portcullis/testing';
import { AIMS, boundOf, marked, table } from './aims.ts';
import { costOf } from './cpu.ts';
import { median } from './figures.ts';

const AT_ONCE = 200;
const KUBERNETES_ROUNDS = 10;
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
function slowest(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

const timesOf = (answers: readonly Answer[]) => answers.map(({ ms }) => ms);

/** Milliseconds of each review since the call before, in the webhook. */
async function decisions(lines: AsyncIterator<string>): Promise<number[]> {
  server.stdin.write('\n');
  return JSON.parse((await lines.next()).value);
}

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const PODS = '/api/v1/namespaces/default/pods';

/** Creates pods until each is admitted by the webhook. */
async function underKubernetes({ port, ca, images }: Site, lines: AsyncIterator<string>) {
  await using cluster = await startKubernetes();
  const clientConfig = {
    url: `https://127.0.0.1:${port}${PATH}`,
    caBundle: Buffer.from(ca).toString('base64'),
  };
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['pods'],
  };
  await cluster.call('POST', WEBHOOKS, {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' },
    metadata: { name: 'bench' },
    webhooks: [
      {
        ...{ name: 'bench.example.com', clientConfig, rules: [rule], failurePolicy: 'Fail' },
        ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
      },
    ],
  });
  const create = async (name: string, nth: number) => {
    const image = images[nth % images.length];
    const pod = { metadata: { name }, spec: { containers: [{ name: 'c', image }] } };
    const { status, body } = await cluster.call('POST', PODS, {
      ...{ apiVersion: 'v1', kind: 'Pod', ...pod },
    });
    // 503: the registry did not answer in time, as on a machine that has other work.
    if (status !== 201 && status !== 503) throw new Error(`${status}: ${body.message}`);
  };
  const round = (nth: number) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, pod) => create(`p${nth}-${pod}`, pod)));
  // An API server follows its configurations a moment later.
  for (let nth = 0; (await decisions(lines)).length < AT_ONCE; nth += 1) await round(nth);
  const times: number[] = [];
  for (let nth = 0; nth < KUBERNETES_ROUNDS; nth += 1) {
    await round(1_000 + nth);
    times.push(...(await decisions(lines)));
  }
  return times;
}

try {
  const lines: AsyncIterator<string> = createInterface(server.stdout)[Symbol.asyncIterator]();
  const site: Site = JSON.parse((await lines.next()).value);
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
    `${median(timesOf(answers)).toFixed(1)} ms`,
    `${slowest(timesOf(answers)).toFixed(1)} ms`,
    `${((cpu * 1_000) / answers.length).toFixed(2)} ms`,
    `${answers.filter(({ isAdmitted }) => !isAdmitted).length} of ${answers.length}`,
  ]);
  process.stdout.write(
    table(['reviews', 'p50', 'p99', 'CPU of the api for each', 'not decided in time'], cells),
  );
  const aim = AIMS.admission;
  const measured = marked(aim, slowest(timesOf(open.answers)));
  process.stdout.write(`\n${aim.work}: ${boundOf(aim)}, ${measured}\n`);
  await decisions(lines);
  const times = await underKubernetes(site, lines);
  process.stdout.write(
    `Of ${AT_ONCE} pods that are created at once, in the webhook: p50 ${median(times).toFixed(1)} ms, p99 ${slowest(times).toFixed(1)} ms\n`,
  );
} finally {
  server.stdin.end();
  await once(server, 'exit');
}
