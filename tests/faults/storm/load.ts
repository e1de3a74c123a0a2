/**
 * Clients that request pulls, pushes, transfers and images of a mirror until they are stopped, and
 * repeat each request without an answer.
 */
import { eventually, fetchManifest, PATIENCE_MS, type TestImage } from '@portcullis/testing';
import type { Answer } from '../../support/product.ts';
import { ADMIN, type Installation, type Request } from './installation.ts';

/** Another registry, with a separate image for each request. */
export interface Source {
  host: string;
  image(order: number): Promise<SourceImage>;
}

export interface SourceImage {
  repository: string;
  tag: string;
  image: TestImage;
  scanned: boolean;
}

export interface Accepted {
  event: 'staging.pull' | 'staging.push' | 'transfer.request';
  key: string;
  id: string;
}

/** Images that must be in the built-in registry, byte for byte. */
export interface Pushed {
  repository: string;
  tag: string;
  image: TestImage;
}

export interface Load {
  accepted: Accepted[];
  pushed: Pushed[];
  jobs: Set<string>;
  faults: string[];
}

export interface LoadOptions {
  installation: Installation;
  source: Source;
  seed: number;
  clients: number;
  /** Sends no new requests, except up to the minimum; accepted ones are followed to their end. */
  ending: AbortSignal;
}

/** Minimum number of requests, however slow the machine is. */
const LEAST = 12;
const POLL_MS = 400;
/** The number of an image that is scanned, as each fifth one after it is. */
const SCANNED = 100_001;
/** Time limit of one request, with restarts, recovery and retries. */
const ORDER_MS = 2 * PATIENCE_MS;

/** Resolves when every accepted request has ended. */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const load: Load = { accepted: [], pushed: [], jobs: new Set(), faults: [] };
  let orders = 0;
  const client = async () => {
    while (!options.ending.aborted || orders < LEAST) {
      const order = orders++;
      await place(order, options, load).catch((error: unknown) =>
        load.faults.push(
          `order ${order}: ${error instanceof Error ? error.message : String(error)}`,
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return load;
}

function place(order: number, options: LoadOptions, load: Load): Promise<void> {
  if (order % 4 === 3) return bringIn(order, options, load);
  return order % 3 === 2 ? transfer(order, options, load) : pullAndPush(order, options, load);
}

async function pullAndPush(order: number, options: LoadOptions, load: Load): Promise<void> {
  const { installation, source, seed } = options;
  const { repository, tag, image, scanned } = await source.image(order);
  const pull = {
    image: repository,
    tag,
    source_registry_host: source.host,
    ...(!scanned && { vuln_scan_enabled_override: false }),
  };
  const key = `storm-${seed}-${order}`;
  const { job_id } = await accepted(
    installation,
    request('/api/staging/pull', pull, `${key}-pull`),
  );
  load.accepted.push({ event: 'staging.pull', key, id: job_id });
  load.jobs.add(job_id);
  await ended(installation, job_id, 'staged');
  const target = { job_id, target_image: `storm-${order}`, target_tag: tag, folder: 'team' };
  await accepted(installation, request('/api/staging/push', target, `${key}-push`));
  load.accepted.push({ event: 'staging.push', key, id: job_id });
  await ended(installation, job_id, 'pushed');
  load.pushed.push({ repository: `team/storm-${order}`, tag, image });
}

async function transfer(order: number, options: LoadOptions, load: Load): Promise<void> {
  const { installation, source, seed } = options;
  const chosen = [];
  for (const part of [0, 1]) {
    const found = await source.image(1_000 * (part + 1) + order);
    chosen.push({ ...found, dest_name: `storm-${order}-${part}` });
  }
  const body = {
    images: chosen.map(({ repository, tag, dest_name }) => ({ repository, tag, dest_name })),
    source_registry_id: await sourceId(installation, source),
    dest_folder: 'team',
    ...(!chosen.some(({ scanned }) => scanned) && { vuln_scan_enabled_override: false }),
  };
  const key = `storm-${seed}-${order}-transfer`;
  const answer = await accepted(installation, request('/api/transfer', body, key));
  load.accepted.push({ event: 'transfer.request', key, id: answer.transfer_id });
  for (const id of answer.job_ids) load.jobs.add(id);
  for (const id of answer.job_ids) await ended(installation, id, 'pushed');
  for (const { dest_name, tag, image } of chosen)
    load.pushed.push({ repository: `team/${dest_name}`, tag, image });
}

/** The folder that mirrors the source. */
export const MIRROR = 'mirror';

/** The first pull of an image through the mirror: it is served after its scan, by one job. */
async function bringIn(
  order: number,
  { installation, source }: LoadOptions,
  load: Load,
): Promise<void> {
  const { repository, tag, image } = await source.image(SCANNED + 5 * order);
  const name = `${MIRROR}/${repository}`;
  const read = async () => {
    const asked = fetchManifest(installation.url(), name, tag, { credentials: ADMIN });
    const status = await asked.then(
      (answer) => answer.status,
      () => null,
    );
    if (status === null || status === 200 || status === 429 || status >= 500) return status;
    throw new Error(`${name}:${tag} was answered with ${status}`);
  };
  await eventually(read, (status) => status === 200, {
    describe: (status) => `${name}:${tag} is still answered with ${status}`,
    patienceMs: ORDER_MS,
    intervalMs: POLL_MS,
  });
  load.pushed.push({ repository: name, tag, image });
  const route = `/api/staging/jobs?q=${encodeURIComponent(repository)}`;
  const { body: jobs } = await answered(installation, { method: 'GET', route }, 200);
  if (jobs.length !== 1) load.faults.push(`${name}:${tag} was brought in by ${jobs.length} jobs`);
  for (const { job_id } of jobs) load.jobs.add(job_id);
}

function request(route: string, body: unknown, key: string): Request {
  return { method: 'POST', route, body, key };
}

/** The source as a saved registry, which transfers name by its id. */
async function sourceId(installation: Installation, source: Source): Promise<string> {
  const { body } = await answered(installation, { method: 'GET', route: '/api/registries' }, 200);
  return body.find(({ host }: { host: string }) => host === source.host).id;
}

/** Repeated with the same key until it is accepted. */
async function accepted(installation: Installation, request: Request): Promise<Answer['body']> {
  return (await answered(installation, request, 202)).body;
}

export async function answered(
  installation: Installation,
  request: Request,
  wanted: number,
): Promise<Answer> {
  const ask = async () => {
    const answer = await installation.ask(request);
    if (answer === null || answer.status === wanted || isPassing(answer)) return answer;
    throw new Error(`${request.route}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const describe = () => `${request.route}: no answer that counts`;
  const answer = await eventually(ask, (last) => last?.status === wanted, {
    describe,
    patienceMs: ORDER_MS,
    intervalMs: POLL_MS,
  });
  if (answer === null) throw new Error(describe());
  return answer;
}

/** Statuses that clients retry while a part of the product is down. */
function isPassing({ status, body }: Answer): boolean {
  return status >= 500 || status === 429 || body.code === 'IDEMPOTENCY_KEY_IN_USE';
}

async function ended(installation: Installation, id: string, wanted: string): Promise<void> {
  const request: Request = { method: 'GET', route: `/api/staging/jobs/${id}` };
  const read = async () => {
    const { body: job } = await answered(installation, request, 200);
    if (job.status !== wanted && ['failed', 'cancelled'].includes(job.status))
      throw new Error(`job ${id} is ${job.status}: ${JSON.stringify(job.error)}`);
    return job;
  };
  await eventually(read, ({ status }) => status === wanted, {
    describe: ({ status }) => `job ${id} is still ${status}`,
    patienceMs: ORDER_MS,
    intervalMs: POLL_MS,
  });
}
