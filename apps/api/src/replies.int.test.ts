/**
 * One reply to an administrator per operation of the contract, compared with replies.golden.json.
 * Values that differ between runs are replaced by a word in angle brackets.
 */
import { createHash } from 'node:crypto';
import type { StagingJob } from '@portcullis/domain';
import { OCI_INDEX } from '@portcullis/oci';
import { heartbeat, type Part } from '@portcullis/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from './api.fixture.ts';
import type { World } from './authorization.fixture.ts';
import { ask, createRoles, type Endpoint, endpoints } from './authorization-world.fixture.ts';
import { blockedReport } from './registry/gate/report.fixture.ts';

let api: TestApi;
let world: World;
let worker: Part | undefined;

beforeAll(async () => {
  api = await startApi({ DOCKERHUB_API_URL: 'http://127.0.0.1:1' });
  world = { ...(await createRoles(api)), role: 'admin' };
  // Without one, replies differ after as long as a worker may be away.
  worker = heartbeat(api.redis, { name: 'worker', instance: 'w', version: '1' });
  await worker.start?.();
});
afterAll(async () => {
  await worker?.stop?.();
  await api?.stop();
});

it('answers each operation as before', async () => {
  const replies = new Map<string, unknown>();
  await recordReport();
  const job = await judgedJob();
  for (const endpoint of endpoints) {
    const { name } = endpoint;
    replies.set(name, await replyTo(endpoint));
    // The list of the newest jobs has this one, whatever the operations before it created.
    if (name === 'staging.getJob')
      replies.set('staging.getJob of a judged job', await replyTo(of(endpoint, { job_id: job })));
    // It names five of what it finds, and the names of most repositories are random.
    if (name === 'search.searchAll') {
      replies.set(name, await replyTo(asking(endpoint, { q: 'copied' })));
      replies.set('search.searchAll of jobs', await replyTo(asking(endpoint, { q: 'app' })));
    }
  }
  const text = JSON.stringify(Object.fromEntries(replies), null, 1);
  await expect(`${text}\n`).toMatchFileSnapshot('replies.golden.json');
});

function asking(endpoint: Endpoint, query: Record<string, string>): Endpoint {
  return { ...endpoint, row: { ...endpoint.row, send: () => ({ query }) } };
}

function of(endpoint: Endpoint, params: Record<string, string>): Endpoint {
  return { ...endpoint, row: { ...endpoint.row, send: () => ({ params }) } };
}

/** Of the image that the operations on images push. */
async function recordReport(): Promise<void> {
  const index = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: [] });
  const digest = `sha256:${createHash('sha256').update(index).digest('hex')}`;
  await api.store.reports.record({ digest, report: blockedReport(), scannedAt: new Date() });
}

const AT = new Date('2026-01-02T03:04:05.678Z');
const ERROR = {
  code: 'TARGET_DOWN',
  message: 'it is down',
  side: 'target',
  retryable: true,
} as const;

/** With every member that a job may have. */
async function judgedJob(): Promise<string> {
  const source = { kind: 'registry', registryId: '__local__', host: 'here' } as const;
  const ownerId = world.ids.owner;
  const { id } = await api.store.jobs.insert({ ownerId, image: 'team/judged', tag: '1', source });
  await api.store.jobs.update(id, (job) => ({
    ...job,
    status: 'failed',
    digest: `sha256:${'a'.repeat(64)}`,
    mediaType: OCI_INDEX,
    size: 1234,
    imageReleasedAt: AT,
    verdict: 'blocked',
    vulnResult: judged(),
    pushes: [push(ownerId)],
    error: ERROR,
    attempts: 2,
    timeline: [
      { at: AT, status: 'pull_queued', kind: 'status_changed' },
      { at: AT, status: 'pulling', kind: 'status_changed' },
      {
        at: AT,
        status: 'scan_queued',
        kind: 'referrers_left',
        left: [{ kind: 'tag', name: 'x.sig', code: 'DENIED', message: 'denied' }],
        more: 1,
      },
      { at: AT, status: 'push_queued', kind: 'push_requested', destination: 'here/team/a:1' },
      {
        at: AT,
        status: 'push_queued',
        kind: 'retry_scheduled',
        code: 'TARGET_DOWN',
        message: 'down',
        seconds: 5,
      },
      { at: AT, status: 'failed', kind: 'failed', code: 'TARGET_DOWN', message: 'down' },
    ],
    finishedAt: AT,
  }));
  return id;
}

function judged(): NonNullable<StagingJob['vulnResult']> {
  const counts = { CRITICAL: 1, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
  const platform = 'linux/amd64';
  return {
    ...blockedReport(),
    coverage: 'partial',
    notes: ['a note'],
    gaps: [
      { kind: 'layer_unreadable', platform, mediaType: 'application/x' },
      { kind: 'config_unreadable', platform, mediaType: 'application/y' },
      { kind: 'packages_unjudged', platform, packageType: 'hex', count: 1, packages: ['a'] },
      { kind: 'version_missing', platform, packageType: 'hex', count: 1, packages: ['a'] },
      { kind: 'files_unread', platform, packageType: 'hex', count: 1, paths: ['a'] },
      { kind: 'os_derived', platform, os: 'a', judgedAs: 'b' },
      { kind: 'os_unjudged', platform, os: null },
      { kind: 'not_an_image', platform, type: null },
      { kind: 'artifact_files', platform, type: 'application/z' },
      { kind: 'third_party', platform: null, count: 1, packages: ['p'] },
      { kind: 'scanner_warning', platform: null, message: 'a warning' },
    ],
    os: { family: 'debian', name: '12', eosl: false },
    targets: [{ target: 'debian', class: 'os-pkgs', type: 'debian', counts }],
    baseLayers: [`sha256:${'b'.repeat(64)}`],
    enabled: true,
    blocked: true,
    severities: ['CRITICAL'],
    blocking: counts,
    counts,
    fixable: counts,
    total: 1,
    laterScanFailedAt: AT.toISOString(),
  };
}

function push(requestedById: string): StagingJob['pushes'][number] {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    status: 'failed',
    kind: 'registry',
    registryId: '22222222-2222-4222-8222-222222222222',
    host: 'elsewhere.example',
    repository: 'a/b',
    tag: '2',
    digest: `sha256:${'a'.repeat(64)}`,
    bytesDone: 1,
    bytesTotal: 2,
    bytesMounted: 1,
    error: ERROR,
    bypass: { allowed: true, reason: 'urgent' },
    bypassed: 'IMAGE_BLOCKED',
    waivers: [
      {
        id: '33333333-3333-4333-8333-333333333333',
        vulnerability: 'CVE-2026-1',
        approvedBy: ['admin'],
        until: AT.toISOString(),
      },
    ],
    requestedById,
    requestedBy: 'owner',
    createdAt: AT,
    finishedAt: AT,
  };
}

async function replyTo(endpoint: Endpoint): Promise<unknown> {
  const response = await ask(endpoint, world);
  const type = response.headers.get('content-type')?.split(';')[0] ?? null;
  if (type === 'application/json' || type === 'application/problem+json')
    return { status: response.status, body: steady(await response.json()) };
  await response.body?.cancel().catch(() => {});
  return { status: response.status, type };
}

/** Of a list twelve items, those that are equal but for what differs between runs once. */
function steady(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return key === 'version' ? '<version>' : steadyText(value);
  if (typeof value === 'number') return VOLATILE.test(key) ? '<number>' : value;
  if (Array.isArray(value)) {
    const items = new Map(
      value.map((item) => steady(item)).map((item) => [JSON.stringify(item), item]),
    );
    return [...items]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, item]) => item)
      .slice(0, 12);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [steadyText(name), steady(each, name)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const VOLATILE = /_ms$|_s$|_count$|^(bytes|uptime|memory|pid|free|total|used)|_bytes$/;

const PATTERNS: [RegExp, string][] = [
  [/eyJ[\w.-]+|\b(pct|pcr|whsec)_[^\s"]+/g, '<secret>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\d{4}-\d\d-\d\d/g, '<date>'],
  [/(127\.0\.0\.1|localhost):\d{2,}/g, '<address>'],
  [/\b(made|new|robot|trust)-\d+/g, '$1-<number>'],
];

function steadyText(text: string): string {
  return PATTERNS.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);
}
