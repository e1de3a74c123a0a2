/**
 * Checks the invariants after the kill test: nothing is lost or duplicated, every action is audited
 * once, every byte is unchanged.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { openRedis } from '@portcullis/runtime';
import { fetchManifest, openSql, PATIENCE_MS } from '@portcullis/testing';
import { embeddedUrls, until } from '../../support/product.ts';
import { ADMIN, type Installation } from './installation.ts';
import { type Accepted, answered, type Load, type Pushed } from './load.ts';

interface AuditEvent {
  id: string;
  event: string;
  outcome: string;
  resource: { kind: string; id: string | null } | null;
  detail: { replayed?: boolean; continues?: string };
}

const STREAM = 'portcullis:audit';
const SETTLED = ['staged', 'pushed', 'failed', 'cancelled'];

/** Violations as sentences; empty when all invariants hold. */
export async function faultsAfter(installation: Installation, load: Load): Promise<string[]> {
  const found = [
    ...load.faults,
    ...(await jobFaults(installation, load)),
    ...(await auditFaults(installation, load)),
    ...(await imageFaults(installation, load.pushed)),
    ...(await directoryFaults(installation, load)),
  ];
  return found;
}

/** Each key has exactly one job. */
async function jobFaults(installation: Installation, load: Load): Promise<string[]> {
  const jobs = await allJobs(installation);
  const ids = new Set(jobs.map(({ job_id }) => job_id));
  const faults: string[] = [];
  for (const { job_id, status } of jobs) {
    if (!load.jobs.has(job_id))
      faults.push(`job ${job_id} (${status}) was made, but its client knows another one`);
    if (!SETTLED.includes(status)) faults.push(`job ${job_id} is still ${status}`);
  }
  for (const id of load.jobs) if (!ids.has(id)) faults.push(`job ${id} is lost`);
  return faults;
}

async function allJobs(installation: Installation): Promise<{ job_id: string; status: string }[]> {
  const found: { job_id: string; status: string }[] = [];
  let route: string | null = '/api/staging/jobs?limit=200';
  while (route !== null) {
    const { body, headers }: Awaited<ReturnType<typeof answered>> = await answered(
      installation,
      { method: 'GET', route },
      200,
    );
    found.push(...body);
    route = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  return found;
}

async function auditFaults(installation: Installation, load: Load): Promise<string[]> {
  const sql = await openSql(await installation.product().databaseUrl());
  const redis = openRedis((await embeddedUrls(installation.dataDir)).redis, { mode: 'patient' });
  try {
    const archived = async (): Promise<AuditEvent[]> =>
      (await sql.query('SELECT body FROM audit_events')).rows.map(({ body }) => body);
    // The event of a dead process is published after a minute; the notifier then archives what it
    // could not before.
    await until(
      async () => miscounted('archive', load.accepted, await archived()).length === 0,
      () => 'the archive',
    ).catch(() => undefined);
    const streamed = (await redis.xrange(STREAM, '-', '+')).map(([, [, text = '']]) =>
      JSON.parse(text),
    );
    return [
      ...miscounted('archive', load.accepted, await archived()),
      ...miscounted('stream', load.accepted, streamed),
    ];
  } finally {
    redis.disconnect();
    await sql.end();
  }
}

/** A repeated request with the same key, and the second part of an event, are marked as such. */
function miscounted(where: string, accepted: Accepted[], events: AuditEvent[]): string[] {
  const counted = events.filter(
    ({ outcome, detail }) =>
      outcome === 'success' && !detail.replayed && detail.continues === undefined,
  );
  const byRequest = Map.groupBy(counted, ({ event, resource }) => `${event} ${resource?.id}`);
  const wrong = accepted.flatMap(({ event, id, key }) => {
    const found = byRequest.get(`${event} ${id}`) ?? [];
    if (found.length === 1) return [];
    const what = `${event} of ${id} is ${found.length} times in the ${where}`;
    return [`${key}: ${what}: ${JSON.stringify(found)}`];
  });
  const ids = new Set(events.map(({ id }) => id));
  return ids.size === events.length
    ? wrong
    : [...wrong, `${events.length - ids.size} events are twice in the ${where}`];
}

async function imageFaults(
  installation: Installation,
  pushed: readonly Pushed[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const { repository, tag, image } of pushed) {
    const answer = await fetchManifest(installation.url(), repository, tag, { credentials: ADMIN });
    if (answer.status !== 200 || digestOf(answer.body) !== image.digest)
      faults.push(`${repository}:${tag} is not ${image.digest}: ${answer.status}`);
    for (const { descriptor } of image.blobs)
      if ((await digestOfBlob(installation, repository, descriptor.digest)) !== descriptor.digest)
        faults.push(`${repository} does not have the blob ${descriptor.digest} as it was`);
  }
  return faults;
}

async function digestOfBlob(
  installation: Installation,
  repository: string,
  digest: string,
): Promise<string> {
  const authorization = `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}`;
  const url = `${installation.url()}/v2/${repository}/blobs/${digest}`;
  const answer = await fetch(url, { headers: { authorization } });
  return digestOf(Buffer.from(await answer.arrayBuffer()));
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * Each job has one directory, and there are no others; killed scans leave none: a directory whose
 * owner was not written yet is removed by the first worker that looks after a minute.
 */
async function directoryFaults({ dataDir }: Installation, load: Load): Promise<string[]> {
  const staged = await readdir(path.join(dataDir, 'cache', 'staging'));
  const strange = staged.filter((name) => !load.jobs.has(name));
  const runs = () => readdir(path.join(dataDir, 'trivy', 'runs')).catch(() => []);
  await until(
    async () => (await runs()).length === 0,
    () => 'the scans',
    2 * PATIENCE_MS,
  ).catch(() => undefined);
  return [
    ...strange.map((name) => `cache/staging/${name} belongs to no job`),
    ...(await runs()).map((name) => `trivy/runs/${name} was left by a killed scan`),
  ];
}
