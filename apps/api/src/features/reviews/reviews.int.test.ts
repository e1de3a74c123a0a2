/** Review requests over the REST API: from a blocked image to its push, and every way it ends. */
import { randomUUID } from 'node:crypto';
import { DEFAULT_POLICY, judge, type ScanReport } from '@portcullis/domain';
import { json, openSql, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';
import { reportWith } from '../../registry/gate/report.fixture.ts';

let api: TestApi;
const ids: Record<string, string> = {};
const clients: Record<string, Client> = {};

const EXTERNAL = { canPullExternal: true, canPushExternal: true };
const ACCOUNTS = {
  root: { isAdmin: true },
  rita: { canBypassVulnBlock: true },
  rob: { canBypassVulnBlock: true },
  dev: {},
  eve: {},
} as const;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false', EGRESS_ALLOW: '127.0.0.1' });
  for (const [name, flags] of Object.entries(ACCOUNTS)) ids[name] = await api.account(name, flags);
  for (const name of ['dev', 'rita', 'rob'])
    await api.grant(idOf(name), 'shop', { canPull: true, canPush: name === 'dev', ...EXTERNAL });
  await api.grant(idOf('dev'), 'data', { canPull: true, canPush: true });
  await api.grant(idOf('eve'), 'data', { canPull: true, canPush: true, ...EXTERNAL });
  for (const name of Object.keys(ACCOUNTS)) clients[name] = await api.as(name);
});
afterAll(() => api?.stop());

const idOf = (name: string) => ids[name] ?? '';

function by(name: string): Client {
  const client = clients[name];
  if (!client) throw new Error(`no client ${name}`);
  return client;
}

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const cves = (count: number) => Array.from({ length: count }, (_, at) => `CVE-2026-${1000 + at}`);
const criticals = (found: readonly string[]) =>
  reportWith(found.map((id) => ({ id, severity: 'CRITICAL' as const })));

let images = 0;

/** A staged job of an image that no other test has. */
async function staged(owner: string, report: ScanReport = criticals(cves(3))): Promise<string> {
  const pull = { source_registry_host: 'ghcr.io', image: 'vendor/nginx', tag: '1.27' };
  const { job_id } = await json(by(owner).post('/api/staging/pull', pull));
  images += 1;
  const digest = `sha256:${String(images).padStart(64, '0')}`;
  await scanned(job_id, report, digest);
  return job_id;
}

async function scanned(jobId: string, report: ScanReport, digest: string): Promise<void> {
  const overrides = { vulnScanEnabled: null, vulnSeverities: null };
  const { verdict, result } = judge(report, DEFAULT_POLICY, overrides);
  await api.store.jobs.update(jobId, (job) => ({
    ...job,
    ...{ status: 'staged', verdict, vulnResult: result, digest, size: 1234 },
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
  }));
}

/** An image of the built-in registry, which came without a job. */
async function tagged(repository: string, report: ScanReport | null): Promise<string> {
  images += 1;
  const digest = `sha256:${String(images).padStart(64, '0')}`;
  const at = new Date();
  await api.store.images.record({ repository, tag: '1.27', digest, manifests: [], at });
  if (report) await api.store.reports.record({ digest, report, scannedAt: at });
  return digest;
}

function ask(name: string, job_id: string, change: object = {}): Promise<Response> {
  return by(name).post('/api/reviews', {
    ...{ job_id, target_image: 'nginx', target_tag: '1.27', folder: 'shop' },
    ...{ reason: 'the release needs it', until: daysFromNow(30), ...change },
  });
}

async function requested(job_id: string, change: object = {}): Promise<number> {
  return (await json(ask('dev', job_id, change))).number;
}

const read = (name: string, number: number) => json(by(name).get(`/api/reviews/${number}`));
const decide = (name: string, number: number, body: object = { decision: 'approve' }) =>
  by(name).post(`/api/reviews/${number}/decision`, body);
const jobOf = (name: string, id: string) => json(by(name).get(`/api/staging/jobs/${id}`));
const listed = async (name: string, query: string): Promise<number[]> =>
  (await json(by(name).get(`/api/reviews?limit=200&${query}`))).map(
    (each: { number: number }) => each.number,
  );
const preview = (job_id: string, folder: string) =>
  json(
    by('dev').get(
      `/api/staging/push/preview?${new URLSearchParams({ job_id, folder, target_image: 'nginx', target_tag: '1.27' })}`,
    ),
  );
const waiversOf = async (number: number) =>
  (await api.store.waivers.list({ requestedBy: 'dev', limit: 200 }, new Date())).items.filter(
    ({ review }) => review === number,
  );

async function eventsOf(number: number, event: string) {
  const found = await published(api, 1_000);
  return found.filter((each) => each.event === event && each.detail.number === number);
}

describe('a request', () => {
  it('of an image with 29 findings is one thing, with one event', async () => {
    const job_id = await staged('dev', criticals(cves(29)));
    const answer = await ask('dev', job_id, { ticket: 'SHOP-4711' });
    expect(answer.status).toBe(201);
    const review = await json(answer);
    expect(answer.headers.get('location')).toBe(`/api/reviews/${review.number}`);
    expect(review).toMatchObject({
      ...{ state: 'open', job_id, changed: null, ticket: 'SHOP-4711', approvals_needed: 1 },
      image: { host: 'ghcr.io', repository: 'vendor/nginx', tag: '1.27' },
      destination: { kind: 'local', folder: 'shop', repository: 'shop/nginx', tag: '1.27' },
      ...{ findings_total: 29, counts: { CRITICAL: 29, HIGH: 0 }, push: null, closed: null },
      requested_by: { id: idOf('dev'), username: 'dev' },
      may: { decide: false, decide_code: 'WAIVER_FORBIDDEN', withdraw: true, comment: true },
    });
    const { number } = review;
    expect(await listed('rita', 'to_decide=true')).toContain(number);
    expect((await jobOf('dev', job_id)).reviews).toMatchObject([
      { number, state: 'open', folder: 'shop', changed: null },
    ]);
    const events = await eventsOf(number, 'review.requested');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      actor: { name: 'dev' },
      resource: { kind: 'review', id: String(number), folder: 'shop' },
      detail: { findings: 29, reason: 'the release needs it' },
    });
    expect(await api.store.waivers.list({ state: 'requested' }, new Date())).toMatchObject({
      total: 0,
    });
  });

  it.each([
    ['dev, for a folder that it may not push to', 'dev', { folder: 'other' }, 'FOLDER_FORBIDDEN'],
    ['dev, for a folder that does not exist', 'dev', { folder: 'missing' }, 'FOLDER_FORBIDDEN'],
    ['another account, of this job', 'eve', { folder: 'data' }, 'JOB_UNKNOWN'],
    ['dev, until yesterday', 'dev', { until: daysFromNow(-1) }, 'WAIVER_END_INVALID'],
    ['dev, for two years', 'dev', { until: daysFromNow(700) }, 'WAIVER_END_INVALID'],
    ['dev, without a reason', 'dev', { reason: ' ' }, 'VALIDATION_FAILED'],
    [
      'dev, with a reason of 2,001 characters',
      'dev',
      { reason: 'x'.repeat(2_001) },
      'VALIDATION_FAILED',
    ],
    [
      'dev, for what does not block',
      'dev',
      { vulnerabilities: ['CVE-2026-1'] },
      'VULNERABILITY_NOT_BLOCKING',
    ],
    ['dev, for 501 vulnerabilities', 'dev', { vulnerabilities: cves(501) }, 'VALIDATION_FAILED'],
    ['dev, for nothing', 'dev', { vulnerabilities: [] }, 'VALIDATION_FAILED'],
  ])('by %s is refused', async (_, name, change, code) => {
    await api.grant(idOf('root'), 'other', {});
    const job_id = await staged('dev');
    expect((await codeOf(ask(name, job_id, change)))[1]).toBe(code);
  });

  it('for another registry needs the right to bypass the gate, as a waiver for it', async () => {
    const registry = { name: `r-${images}`, host: 'registry.example' };
    const external_registry_id = (await api.store.registries.insert(registry)).id;
    const to = { external_registry_id, folder: undefined, target_image: 'vendor/nginx' };
    const job_id = await staged('dev');
    expect(await codeOf(ask('dev', job_id, to))).toEqual([403, 'WAIVER_FORBIDDEN']);
    const own = await staged('rita');
    const { number } = await json(ask('rita', own, to));
    expect((await codeOf(by('dev').get(`/api/reviews/${number}`)))[0]).toBe(404);
    expect(await json(decide('rob', number))).toMatchObject({ state: 'approved' });
    expect(await api.store.waivers.list({ requestedBy: 'rita' }, new Date())).toMatchObject({
      total: 3,
      items: [{ folder: null, repository: 'vendor/nginx', review: number }, {}, {}],
    });
    // Asking needs that right; the push of what was approved does not.
    await scanned(job_id, criticals(cves(3)), (await jobOf('rita', own)).digest);
    const query = {
      job_id,
      external_registry_id,
      target_image: 'vendor/nginx',
      target_tag: '1.27',
    };
    const asked = new URLSearchParams(query);
    expect(await json(by('dev').get(`/api/staging/push/preview?${asked}`))).toMatchObject({
      ...{ allowed: true, bypassed: null },
    });
  });

  it('of an image with a tag needs no job, and its approval lets that image pass', async () => {
    const digest = await tagged('shop/tagged', criticals(cves(2)));
    const about = { job_id: undefined, target_image: 'tagged', push_when_approved: true };
    const review = await json(ask('dev', '', about));
    expect(review).toMatchObject({
      ...{ state: 'open', job_id: null, changed: null, findings_total: 2, push: null },
      image: { registry_id: '__local__', repository: 'shop/tagged', tag: '1.27', digest },
      destination: { folder: 'shop', repository: 'shop/tagged', tag: '1.27' },
    });
    expect(await codeOf(ask('dev', '', about))).toEqual([409, 'REVIEW_OPEN']);
    const detail = await read('rita', review.number);
    expect(detail.covers).toMatchObject([{ repository: 'shop/tagged', tags: ['1.27'] }]);
    expect(await json(decide('rita', review.number))).toMatchObject({ state: 'approved' });
    expect(await waiversOf(review.number)).toMatchObject([{ digest, folder: 'shop' }, { digest }]);
    expect(await codeOf(ask('dev', '', about))).toEqual([409, 'REVIEW_NOT_NEEDED']);
  });

  it.each([
    ['of a tag that is not there', 'dev', { target_image: 'missing' }, [404, 'IMAGE_UNKNOWN']],
    ['of an image without a scan', 'dev', { target_image: 'unscanned' }, [404, 'REPORT_UNKNOWN']],
    ['for a folder of others', 'eve', { target_image: 'tagged' }, [403, 'FOLDER_FORBIDDEN']],
    [
      'for another registry',
      'rita',
      { external_registry_id: randomUUID(), folder: undefined },
      [422, 'VALIDATION_FAILED'],
    ],
  ])('without a job is refused %s', async (_, name, change, expected) => {
    await tagged('shop/unscanned', null);
    const about = { job_id: undefined, target_image: 'tagged', ...change };
    expect(await codeOf(ask(name, '', about))).toEqual(expected);
  });

  it('of what nothing blocks is refused, and so is one of a job that is not ready', async () => {
    expect(await codeOf(ask('dev', await staged('dev', criticals([]))))).toEqual([
      ...[409, 'REVIEW_NOT_NEEDED'],
    ]);
    const pull = { source_registry_host: 'ghcr.io', image: 'vendor/nginx', tag: '1.27' };
    const { job_id } = await json(by('dev').post('/api/staging/pull', pull));
    expect(await codeOf(ask('dev', job_id))).toEqual([409, 'JOB_NOT_READY']);
  });

  it('of more findings than one request may have is refused, and of some of them accepted', async () => {
    const job_id = await staged('dev', criticals(cves(501)));
    expect(await codeOf(ask('dev', job_id))).toEqual([409, 'REVIEW_TOO_LARGE']);
    expect((await ask('dev', job_id, { vulnerabilities: cves(500) })).status).toBe(201);
  });

  it('that is open is not asked again, however many ask at once; another folder is', async () => {
    const job_id = await staged('dev');
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('dev', job_id)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
    const [made] = answers.filter(({ status }) => status === 201);
    if (!made) throw new Error('no request was made');
    const { number } = await json(made);
    const refused = answers.filter((answer) => answer !== made);
    for (const answer of refused)
      expect(await refusal(answer)).toMatchObject({
        code: 'REVIEW_OPEN',
        detail: expect.stringContaining(`#${number}`),
      });
    expect((await ask('dev', job_id, { folder: 'data' })).status).toBe(201);
  });

  it('asks only for what no waiver of that folder covers; other folders do not count', async () => {
    const job_id = await staged('dev');
    const elsewhere = await requested(job_id, { folder: 'data' });
    expect((await decide('root', elsewhere)).status).toBe(200);
    const here = await requested(job_id, { vulnerabilities: cves(1) });
    expect(await json(decide('rita', here))).toMatchObject({ state: 'approved' });
    expect(await json(ask('dev', job_id))).toMatchObject({ findings_total: 2 });
    expect(await codeOf(ask('dev', job_id, { folder: 'data' }))).toEqual([
      ...[409, 'REVIEW_NOT_NEEDED'],
    ]);
  });
});

describe('a decision', () => {
  it('to approve all leaves waivers of this image in this folder, and the gate lets it pass', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id);
    const comment = 'fine until the rebuild';
    expect(await json(decide('rita', number, { decision: 'approve', comment }))).toMatchObject({
      ...{ state: 'approved', approved_total: 3 },
      closed: { by: { id: idOf('rita'), username: 'rita' }, comment },
      may: { decide: false, decide_code: 'REVIEW_CLOSED', withdraw: false },
    });
    const left = await waiversOf(number);
    expect(left.map(({ vulnerability }) => vulnerability).toSorted()).toEqual(cves(3));
    for (const waiver of left)
      expect(waiver).toMatchObject({
        ...{ folder: 'shop', package: 'openssl', repository: null, state: 'approved' },
        ...{ requestedBy: 'dev', approvals: [{ username: 'rita' }] },
      });
    expect(await preview(job_id, 'shop')).toMatchObject({ allowed: true });
    expect(await preview(job_id, 'data')).toMatchObject({ allowed: false });
    const events = await published(api, 1_000);
    expect(events.filter(({ event }) => event.startsWith('waiver.'))).toEqual([]);
    expect(await eventsOf(number, 'review.decided')).toMatchObject([
      { actor: { name: 'rita' }, detail: { state: 'approved', approved: 3, comment } },
    ]);
    const [{ id } = { id: '' }] = left;
    expect(await json(by('dev').get(`/api/waivers/${id}`))).toMatchObject({
      ...{ review: number, in_force: true },
    });
    const ofReview = await by('dev').get(`/api/waivers?review=${number}`);
    expect(ofReview.headers.get('x-total-count')).toBe('3');
  });

  it('to approve all but one leaves the image blocked by that one', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id);
    const [worst = ''] = cves(1);
    const order = { decision: 'approve', except: [worst] };
    expect(await json(decide('rita', number, order))).toMatchObject({
      ...{ state: 'partly_approved', approved_total: 2 },
      approvals: [{ username: 'rita', except: [worst] }],
    });
    expect(await preview(job_id, 'shop')).toMatchObject({
      decision: { blocking_total: 1, blocking: [{ vulnerability: worst }], waived_total: 2 },
    });
    const again = await requested(job_id);
    const [found] = (await read('rita', again)).findings;
    expect(found).toMatchObject({ vulnerability: worst });
    expect(found.earlier[0]).toMatchObject({
      ...{ decision: 'rejected', review: number, by: 'rita', same_image: true, folder: 'shop' },
    });
  });

  it('is about where the job goes from now on: every place that shows it says the same', async () => {
    const job_id = await staged('dev');
    expect(await jobOf('dev', job_id)).toMatchObject({ destination: null });
    const until = daysFromNow(20);
    const number = await requested(job_id, { until });
    await decide('rita', number, { decision: 'approve', comment: 'Until the next release.' });
    const found = { destination: { folder: 'shop' }, standing: { state: 'allowed', until } };
    expect(await jobOf('dev', job_id)).toMatchObject({
      ...found,
      reviews: [{ number, comment: 'Until the next release.' }],
    });
    const jobs: { job_id: string }[] = await json(by('dev').get('/api/staging/jobs?limit=50'));
    expect(jobs.find((each) => each.job_id === job_id)).toMatchObject(found);
    expect((await preview(job_id, 'shop')).decision).toMatchObject({ waived_until: until });
    // Another request does not move it.
    await requested(job_id, { folder: 'data' });
    expect(await jobOf('dev', job_id)).toMatchObject(found);
  });

  it('does not say where the job of another account goes', async () => {
    const job_id = await staged('dev');
    await api.store.folders.insertFolder({ name: 'secret' });
    expect((await ask('root', job_id, { folder: 'secret' })).status).toBe(201);
    expect(await jobOf('dev', job_id)).toMatchObject({ destination: null });
  });

  it('may end sooner than asked, and never later', async () => {
    const number = await requested(await staged('dev'));
    const until = daysFromNow(14);
    const refused = (order: object) => refusal(decide('rita', number, order));
    for (const [decision, other] of [
      ['approve', daysFromNow(31)],
      ['approve', daysFromNow(-1)],
      ['reject', until],
    ])
      expect(await refused({ decision, until: other })).toMatchObject({
        code: 'WAIVER_END_INVALID',
        errors: [{ path: 'until' }],
      });
    expect(await json(decide('rita', number, { decision: 'approve', until }))).toMatchObject({
      ...{ state: 'approved', until },
      approvals: [{ username: 'rita', until }],
    });
    const left = await waiversOf(number);
    expect(left.map(({ expiresAt }) => expiresAt.toISOString())).toEqual([until, until, until]);
    expect(await eventsOf(number, 'review.decided')).toMatchObject([{ detail: { until } }]);
  });

  it('is found by who decided', async () => {
    const [rejected, approved, open] = await Promise.all(
      [1, 2, 3].map(async () => requested(await staged('dev'))),
    );
    await decide('rita', rejected ?? 0, { decision: 'reject' });
    await decide('rob', approved ?? 0);
    const found = async (name: string) =>
      (await listed(name, 'decided=true')).filter((each) =>
        [rejected, approved, open].includes(each),
      );
    expect(await found('rita')).toEqual([rejected]);
    expect(await found('rob')).toEqual([approved]);
    expect(await found('dev')).toEqual([]);
  });

  it('to reject leaves nothing behind, and the same can be asked again', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id, { push_when_approved: true });
    const comment = 'update the base image';
    expect(await json(decide('rita', number, { decision: 'reject', comment }))).toMatchObject({
      ...{ state: 'rejected', approved_total: 0, closed: { comment }, push: { state: 'dropped' } },
    });
    expect(await waiversOf(number)).toEqual([]);
    expect((await ask('dev', job_id)).status).toBe(201);
  });

  it.each([
    ['its requester', 'dev', { decision: 'approve' }, [403, 'WAIVER_FORBIDDEN']],
    [
      'an account that may not see the folder',
      'eve',
      { decision: 'approve' },
      [404, 'REVIEW_UNKNOWN'],
    ],
    [
      'a reviewer, but for another finding',
      'rita',
      { decision: 'approve', except: ['CVE-2026-1'] },
      [422, 'REVIEW_EXCEPT_INVALID'],
    ],
    [
      'a reviewer, but for all',
      'rita',
      { decision: 'approve', except: cves(3) },
      [422, 'REVIEW_EXCEPT_INVALID'],
    ],
    [
      'a reviewer, rejecting but one',
      'rita',
      { decision: 'reject', except: cves(1) },
      [422, 'REVIEW_EXCEPT_INVALID'],
    ],
  ])('by %s is refused', async (_, name, body, expected) => {
    const number = await requested(await staged('dev'));
    expect(await codeOf(decide(name, number, body))).toEqual(expected);
    expect((await read('rita', number)).state).toBe('open');
  });

  it('by the requester is refused, also for an administrator', async () => {
    const { number } = await json(ask('root', await staged('root')));
    expect(await codeOf(decide('root', number))).toEqual([403, 'REVIEW_OWN_REQUEST']);
  });

  it('is made once: what is closed stays as it is', async () => {
    const number = await requested(await staged('dev'));
    const answers = await Promise.all([
      decide('rita', number),
      decide('rob', number, { decision: 'reject' }),
      decide('root', number),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    for (const name of ['rita', 'rob'])
      expect((await codeOf(decide(name, number, { decision: 'reject' })))[0]).toBe(409);
    const { state } = await read('rita', number);
    expect(await waiversOf(number)).toHaveLength(state === 'approved' ? 3 : 0);
  });

  it('needs a requester that may still ask', async () => {
    const id = await api.account(`gone-${images}`);
    const { groupId } = await api.grant(id, 'shop', { canPull: true, canPush: true, ...EXTERNAL });
    clients.gone = await api.as(`gone-${images}`);
    const { number } = await json(ask('gone', await staged('gone')));
    await by('root').delete(`/api/groups/${groupId}/members/${id}`);
    expect(await codeOf(decide('rita', number))).toEqual([409, 'WAIVER_REQUESTER_FORBIDDEN']);
    expect((await read('rita', number)).state).toBe('open');
    expect((await decide('rita', number, { decision: 'reject' })).status).toBe(200);
  });

  it('needs a reviewer that may still decide, and still sees the folder', async () => {
    const name = `late-reviewer-${images}`;
    const id = await api.account(name, { canBypassVulnBlock: true });
    const { groupId } = await api.grant(id, 'shop', { canPull: true });
    clients[name] = await api.as(name);
    const number = await requested(await staged('dev'));
    const may = async (allowed: boolean) =>
      by('root').patch(`/api/auth/users/${id}`, { can_bypass_vuln_block: allowed });
    expect((await may(false)).status).toBe(200);
    expect(await codeOf(decide(name, number))).toEqual([403, 'WAIVER_FORBIDDEN']);
    expect(await listed(name, 'to_decide=true')).toEqual([]);
    expect((await read(name, number)).may).toMatchObject({ decide: false, comment: true });
    expect((await may(true)).status).toBe(200);
    await by('root').delete(`/api/groups/${groupId}/members/${id}`);
    expect(await codeOf(decide(name, number))).toEqual([404, 'REVIEW_UNKNOWN']);
    expect((await read('rita', number)).state).toBe('open');
  });

  it('can no longer be made once its folder is deleted: the request is deleted with it', async () => {
    const folder = `gone-${images}`;
    const { folderId } = await api.grant(idOf('dev'), folder, { canPull: true, canPush: true });
    const job_id = await staged('dev');
    const number = await requested(job_id, { folder });
    expect((await by('root').delete(`/api/folders/${folderId}`)).status).toBe(204);
    for (const name of ['root', 'dev'])
      expect(await codeOf(decide(name, number))).toEqual([404, 'REVIEW_UNKNOWN']);
    expect((await jobOf('dev', job_id)).reviews).toEqual([]);
  });

  it('can no longer be made once its registry is deleted, and leaves no waiver', async () => {
    const registry = { name: `gone-${images}`, host: 'gone.example' };
    const { id: external_registry_id } = await api.store.registries.insert(registry);
    const to = { external_registry_id, folder: undefined, target_image: 'vendor/gone' };
    const { number } = await json(ask('rita', await staged('rita'), to));
    await api.store.registries.remove(external_registry_id);
    expect(await codeOf(decide('rob', number))).toEqual([404, 'REVIEW_UNKNOWN']);
    expect(await waiversOf(number)).toEqual([]);
  });
});

describe('two approvals', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await startApi({ WAIVER_APPROVALS: '2', RATE_LIMIT_ENABLED: 'false' }, api);
  });
  afterAll(() => strict?.stop());

  it('close a request that one leaves open, and approve what both do', async () => {
    const number = await requested(await staged('dev'));
    const at = async (name: string, except: string[]) =>
      json(
        (await strict.as(name)).post(`/api/reviews/${number}/decision`, {
          decision: 'approve',
          except,
        }),
      );
    const [first = '', second = ''] = cves(2);
    expect(await at('rita', [first])).toMatchObject({ state: 'open', approvals_needed: 2 });
    expect(await listed('rita', 'to_decide=true')).not.toContain(number);
    expect(await listed('rob', 'to_decide=true')).toContain(number);
    expect(await waiversOf(number)).toEqual([]);
    expect(await at('rita', [first])).toMatchObject({ state: 'open', approvals: [{}] });
    expect(await at('rob', [second])).toMatchObject({
      state: 'partly_approved',
      approved_total: 1,
    });
    const [left] = await waiversOf(number);
    expect(left?.approvals.map(({ username }) => username)).toEqual(['rita', 'rob']);
  });

  it('do not count that of an account that may no longer review', async () => {
    const name = `former-${images}`;
    const id = await api.account(name, { canBypassVulnBlock: true });
    await api.grant(id, 'shop', { canPull: true });
    const number = await requested(await staged('dev'));
    const approve = async (who: string) =>
      json((await strict.as(who)).post(`/api/reviews/${number}/decision`, { decision: 'approve' }));
    expect(await approve(name)).toMatchObject({ state: 'open', approvals: [{ username: name }] });
    await by('root').patch(`/api/auth/users/${id}`, { can_bypass_vuln_block: false });
    expect(await approve('rita')).toMatchObject({
      ...{ state: 'open', approvals: [{ username: 'rita' }] },
    });
    expect(await approve('rob')).toMatchObject({ state: 'approved' });
  });
});

describe('a request ends', () => {
  it('when its requester withdraws it, and only then', async () => {
    const number = await requested(await staged('dev'));
    const withdraw = (name: string) => by(name).post(`/api/reviews/${number}/withdraw`, {});
    expect(await codeOf(withdraw('rita'))).toEqual([403, 'REVIEW_NOT_YOURS']);
    expect(await json(withdraw('dev'))).toMatchObject({ state: 'withdrawn' });
    expect(await codeOf(withdraw('dev'))).toEqual([409, 'REVIEW_CLOSED']);
    expect(await codeOf(decide('rita', number))).toEqual([409, 'REVIEW_CLOSED']);
    expect(await listed('rita', 'to_decide=true')).not.toContain(number);
  });

  it('by itself after some days, whether or not that was recorded', async () => {
    const number = await requested(await staged('dev'));
    const { ends_at, created_at } = await read('dev', number);
    expect(Date.parse(ends_at) - Date.parse(created_at)).toBe(7 * 86_400_000);
    await sql(`UPDATE reviews SET ends_at = now() - interval '1 second' WHERE number = ${number}`);
    expect(await read('rita', number)).toMatchObject({ state: 'expired', may: { decide: false } });
    expect(await codeOf(decide('rita', number))).toEqual([409, 'REVIEW_CLOSED']);
    expect(await listed('dev', 'state=expired')).toContain(number);
    expect(await listed('rita', 'to_decide=true')).not.toContain(number);
  });

  it('not later than the end that it asks for', async () => {
    const until = daysFromNow(2);
    const { ends_at } = await json(ask('dev', await staged('dev'), { until }));
    expect(ends_at).toBe(until);
  });

  it('and says what changed since: the job was removed, or has another image', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id);
    await scanned(job_id, criticals(cves(3)), `sha256:${'f'.repeat(64)}`);
    expect(await read('rita', number)).toMatchObject({ changed: 'image_changed' });
    expect((await jobOf('dev', job_id)).reviews).toMatchObject([{ changed: 'image_changed' }]);
    await by('dev').delete(`/api/staging/jobs/${job_id}`);
    expect(await read('rita', number)).toMatchObject({
      ...{
        changed: 'job_removed',
        job_id: null,
        decision: null,
        findings: [{ blocks: null }, {}, {}],
      },
    });
    expect((await decide('rita', number)).status).toBe(200);
  });
});

describe('a push when approved', () => {
  it('is requested by itself, once, as the requester and without its privilege', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id, { push_when_approved: true });
    expect(await json(decide('rita', number))).toMatchObject({
      ...{ state: 'approved', push: { state: 'requested', code: null } },
    });
    const job = await jobOf('dev', job_id);
    expect(job.status).toBe('push_queued');
    expect(job.pushes).toMatchObject([
      {
        ...{ requested_by: 'dev', target_image: 'shop/nginx', target_tag: '1.27' },
        ...{ bypassed: null, bypass_reason: null },
      },
    ]);
    const found = await published(api, 1_000);
    const pushes = found.filter(
      ({ event, detail }) => event === 'staging.push' && detail.review === number,
    );
    expect(pushes).toMatchObject([{ actor: { name: 'dev' }, resource: { id: job_id } }]);
  });

  it('is refused where the approval leaves a finding: a comment and an event say so', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id, { push_when_approved: true });
    const order = { decision: 'approve', except: cves(1) };
    expect(await json(decide('rita', number, order))).toMatchObject({
      push: { state: 'refused', code: 'VULN_BLOCKED' },
    });
    expect((await read('dev', number)).comments).toMatchObject([
      { author: { id: null, username: null }, code: 'VULN_BLOCKED' },
    ]);
    expect(await eventsOf(number, 'review.push_refused')).toMatchObject([
      { detail: { code: 'VULN_BLOCKED', requested_by: { name: 'dev' } } },
    ]);
    expect((await jobOf('dev', job_id)).status).toBe('staged');
  });

  it('is refused where the job has another image meanwhile', async () => {
    const job_id = await staged('dev');
    const number = await requested(job_id, { push_when_approved: true });
    await scanned(job_id, criticals([]), `sha256:${'e'.repeat(64)}`);
    expect(await json(decide('rita', number))).toMatchObject({
      push: { state: 'refused', code: 'REVIEW_OUTDATED' },
    });
  });

  it('that a process left behind is made by the next one, with the rights of then', async () => {
    const name = `late-${images}`;
    const id = await api.account(name);
    const { groupId } = await api.grant(id, 'shop', { canPull: true, canPush: true, ...EXTERNAL });
    clients[name] = await api.as(name);
    const jobs = { kept: await staged('dev', criticals([])), lost: await staged(name) };
    const kept = await requested(await staged('dev'), { push_when_approved: true });
    const { number: lost } = await json(ask(name, jobs.lost, { push_when_approved: true }));
    await by('root').delete(`/api/groups/${groupId}/members/${id}`);
    // As a process leaves them that dies between the decision and the push.
    await sql(`UPDATE reviews SET state = 'approved', closed_at = now(), push_state = 'due',
                      push_at = now() WHERE number IN (${kept}, ${lost})`);
    await sql(`UPDATE reviews r SET job_id = j.id, digest = j.digest FROM staging_jobs j
                WHERE r.number = ${kept} AND j.id = '${jobs.kept}'`);
    const next = await startApi({ RATE_LIMIT_ENABLED: 'false' }, api);
    const pushOf = async (number: number) => (await read('root', number)).push;
    await expect.poll(() => pushOf(kept)).toEqual({ state: 'requested', code: null });
    await expect.poll(() => pushOf(lost)).toEqual({ state: 'refused', code: 'FOLDER_FORBIDDEN' });
    await next.stop();
    expect((await jobOf('dev', jobs.kept)).status).toBe('push_queued');
    expect((await read('root', lost)).comments).toMatchObject([{ code: 'FOLDER_FORBIDDEN' }]);
  });
});

describe('what an account sees', () => {
  it('is its own requests and those of its folders', async () => {
    const number = await requested(await staged('dev'));
    expect(await listed('dev', 'mine=true')).toContain(number);
    expect(await listed('rita', '')).toContain(number);
    expect(await listed('eve', '')).not.toContain(number);
    expect(await codeOf(by('eve').get(`/api/reviews/${number}`))).toEqual([404, 'REVIEW_UNKNOWN']);
    for (const [path, body] of [
      ['comments', { text: 'hello' }],
      ['withdraw', {}],
      ['decision', { decision: 'approve' }],
    ] as const)
      expect((await codeOf(by('eve').post(`/api/reviews/${number}/${path}`, body)))[0]).toBe(404);
  });

  it('is counted: what waits for its decision, and what it asked for', async () => {
    const count = (name: string) => json(by(name).get('/api/reviews/count'));
    const before = { rita: await count('rita'), dev: await count('dev'), eve: await count('eve') };
    await requested(await staged('dev'));
    expect(await count('rita')).toEqual({ ...before.rita, to_decide: before.rita.to_decide + 1 });
    expect(await count('dev')).toEqual({ to_decide: 0, own: before.dev.own + 1 });
    expect(await count('eve')).toEqual(before.eve);
  });

  it('is found by words of it, and paged', async () => {
    const number = await requested(await staged('dev'), { ticket: 'SHOP-0815' });
    for (const q of ['shop-0815', 'vendor/nginx:1.27 shop-0815', 'release dev shop-0815'])
      expect(await listed('rita', new URLSearchParams({ q }).toString())).toEqual([number]);
    const page = await by('dev').get('/api/reviews?limit=1');
    expect(page.headers.get('link')).toContain('cursor=');
    expect(Number(page.headers.get('x-total-count'))).toBeGreaterThan(1);
    expect(await codeOf(by('dev').get('/api/reviews?cursor=x'))).toEqual([422, 'CURSOR_INVALID']);
  });

  it('has what a decision needs', async () => {
    const report = criticals(cves(2));
    const [first, ...others] = report.vulnerabilities;
    if (!first) throw new Error('no vulnerability');
    const [pkg] = first.packages;
    if (!pkg) throw new Error('no package');
    const detailed = {
      ...first,
      ...{ title: 'a hole', cvssScore: 9.8, primaryUrl: 'https://avd.example/1' },
      packages: [
        { ...pkg, layerDigest: 'sha256:base' },
        { ...pkg, name: 'libssl3', layerDigest: 'sha256:own' },
      ],
    };
    const vulnerabilities = [detailed, ...others];
    const job_id = await staged('dev', { ...report, vulnerabilities, baseLayers: ['sha256:base'] });
    const number = await requested(job_id, { vulnerabilities: cves(1) });
    expect(await read('rita', number)).toMatchObject({
      findings: [
        {
          ...{ vulnerability: cves(1)[0], severity: 'CRITICAL', title: 'a hole', cvss_score: 9.8 },
          ...{ primary_url: 'https://avd.example/1', kev: null, epss: null, approved: null },
          packages: [
            { name: 'openssl', installed_version: '3.0.1', fixed_version: '3.0.2', in_base: true },
            { name: 'libssl3', in_base: false },
          ],
          ...{ packages_total: 2, blocks: true },
        },
      ],
      decision: { code: 'VULN_BLOCKED', folder: 'shop', policy: { name: 'default' } },
      ...{ also_blocking: [cves(2)[1]], also_blocking_total: 1, covers: [], comments: [] },
      may: { decide: true, decide_code: null, withdraw: false, comment: true },
    });
  });
});

describe('the thread', () => {
  it('is written by those who see the request, also after its end', async () => {
    const number = await requested(await staged('dev'));
    const comment = (name: string, text: string) =>
      by(name).post(`/api/reviews/${number}/comments`, { text });
    expect(await json(comment('rita', 'which release?'))).toMatchObject({
      ...{ author: { username: 'rita' }, text: 'which release?', code: null },
    });
    await decide('rita', number);
    expect((await comment('dev', '1.27.3, thanks')).status).toBe(201);
    const { comments, comments_total } = await read('dev', number);
    expect(comments.map((each: { text: string }) => each.text)).toEqual([
      'which release?',
      '1.27.3, thanks',
    ]);
    expect(comments_total).toBe(2);
    expect((await comment('dev', 'x'.repeat(2_001))).status).toBe(422);
  });
});

async function sql(text: string): Promise<void> {
  const client = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  await client.query(text);
  await client.end();
}

describe('the activity of a folder', () => {
  it('has what was asked, decided, withdrawn and expired, and not the waivers left behind', async () => {
    const [approved, withdrawn, expired] = [
      await requested(await staged('dev')),
      await requested(await staged('dev')),
      await requested(await staged('dev')),
    ];
    await decide('rita', approved);
    await by('dev').post(`/api/reviews/${withdrawn}/withdraw`, {});
    await sql(`UPDATE reviews SET ends_at = now() WHERE number = ${expired}`);
    const { activity } = await json(by('dev').get('/api/folders/shop/overview'));
    const of = (number: number) =>
      activity.filter(({ review }: { review: number | null }) => review === number);
    const place = { repository: 'shop/nginx', tag: '1.27', waiver_id: null, vulnerability: null };
    expect(of(approved)).toMatchObject([
      { kind: 'review_approved', by: 'rita', ...place },
      { kind: 'review_requested', by: 'dev', ...place },
    ]);
    expect(of(withdrawn)).toMatchObject([
      { kind: 'review_withdrawn', by: 'dev' },
      { kind: 'review_requested', by: 'dev' },
    ]);
    expect(of(expired)).toMatchObject([
      { kind: 'review_expired', by: null },
      { kind: 'review_requested', by: 'dev' },
    ]);
    const kinds = activity.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind.startsWith('waiver_'))).toEqual([]);
  });
});

describe('the overview', () => {
  const waiting = async (name: string, kind = 'reviews_waiting') => {
    const { attention } = await json(by(name).get('/api/dashboard/stats'));
    return attention.find((each: { kind: string }) => each.kind === kind) ?? null;
  };

  it('names what waits for a decision to those who may decide, until it is decided', async () => {
    const asked = [await requested(await staged('dev')), await requested(await staged('dev'))];
    for (const name of ['rita', 'rob', 'root']) {
      const { to_decide: count } = await json(by(name).get('/api/reviews/count'));
      const open = await listed(name, 'to_decide=true');
      expect(open).toEqual(expect.arrayContaining(asked));
      const { created_at: oldest_at } = await read(name, Math.min(...open));
      const waits = { kind: 'reviews_waiting', level: 'warning', count, oldest_at };
      expect(await waiting(name)).toEqual(waits);
    }
    expect([await waiting('dev'), await waiting('eve')]).toEqual([null, null]);
    for (const number of await listed('rita', 'to_decide=true'))
      expect((await decide('rita', number, { decision: 'reject' })).status).toBe(200);
    expect(await waiting('rita')).toBeNull();
  });

  it('names waivers that are requested alone, but to their requester', async () => {
    const wanted = { vulnerability: 'CVE-2026-4711', folder: 'shop', expires_at: daysFromNow(9) };
    const body = { ...wanted, status: 'accepted', reason: 'not reachable' };
    expect((await by('rita').post('/api/waivers', body)).status).toBe(201);
    expect(await waiting('rob', 'waivers_waiting')).toMatchObject({ count: 1, level: 'warning' });
    expect(await waiting('rita', 'waivers_waiting')).toBeNull();
  });
});
