/**
 * One image with vulnerabilities in several packages has one number and one answer for a
 * destination, wherever it is read.
 */
import { randomUUID } from 'node:crypto';
import {
  cloudEvent,
  DEFAULT_POLICY,
  defaultPolicy,
  EVENT_STANDING,
  eventStanding,
  factsOf,
  foundIn,
  judge,
  judgeSubject,
  notificationsOf,
  outcomeOf,
  type Push,
  type ScanReport,
  standingOf,
  standingText,
  subjectStanding,
  webhookBody,
  webhookMessages,
} from '@portcullis/domain';
import { publishChange, publishReports } from '@portcullis/events';
import { standingMail } from '@portcullis/notify';
import { json, pushImage, randomImage } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, stagedAs, startApi, type TestApi } from '../../../api.fixture.ts';

const OPENSSL = ['CVE-2026-1', 'CVE-2026-2'];
const MEDIUM = 'CVE-2026-3';
/** Two that block, each in two packages; for one of them one package has no fix. */
const REPORT = withoutFix(
  sampleReport([
    ...OPENSSL.flatMap((id) => [
      { id, package: 'libssl3' },
      { id, package: 'openssl' },
    ]),
    { id: MEDIUM, package: 'zlib', severity: 'MEDIUM' as const },
  ]),
);
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

let api: TestApi;
let ann: Client;
let admin: Client;
let adminId: string;
let annId: string;
let digest: string;
let image: Awaited<ReturnType<typeof randomImage>>;

function withoutFix(report: ScanReport): ScanReport {
  const [first] = report.vulnerabilities;
  const [, openssl] = first?.packages ?? [];
  if (openssl) openssl.fixedVersion = null;
  return report;
}

beforeAll(async () => {
  api = await startApi();
  adminId = await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  const flags = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
  for (const name of ['shop', 'lax', 'team']) await api.grant(annId, name, flags);
  await api.store.folders.insertFolder({ name: 'hidden' });
  [ann, admin] = await Promise.all([api.as('ann'), api.as('root')]);
  const policy = await json(admin.post('/api/policies', { name: 'lax', rules: [] }));
  for (const folder of ['lax', 'hidden'])
    await admin.patch(`/api/folders/${folder}`, { policy_id: policy.id });
  image = await randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
  digest = image.digest;
  await tagged('shop/app');
  await publishChange(api.redis, 'gate');
});
afterAll(() => api?.stop());

async function tagged(repository: string): Promise<void> {
  await pushImage(api.registry.url, repository, '1', image);
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
    ...{ artifactType: null, subject: null, size: 100, platforms: ['linux/amd64'], contents: [] },
  };
  const place = { repository, tag: '1', digest, at: new Date() };
  await api.store.images.record({ ...place, manifests: [manifest] });
  await api.store.reports.record({ digest, report: REPORT, scannedAt: new Date() });
  await publishReports(api.redis, [digest]);
}

async function pulled(by: Client, destination?: object): Promise<string> {
  const pull = { source_registry_host: 'ghcr.io', image: 'x/app', tag: '1', destination };
  const { job_id } = await json(by.post('/api/staging/pull', pull));
  return job_id;
}

async function scanned(by: Client, destination?: object): Promise<string> {
  const job_id = await pulled(by, destination);
  const { verdict, result: vulnResult } = judge(REPORT, DEFAULT_POLICY, NO_OVERRIDES);
  const staged = stagedAs(verdict);
  await api.store.jobs.update(job_id, (job) => ({ ...staged(job), digest, vulnResult }));
  return job_id;
}

const jobOf = async (by: Client, id: string) => json(by.get(`/api/staging/jobs/${id}`));

/** As every place that knows the image says it. */
async function said(id: string) {
  const listed = (await json(ann.get('/api/staging/jobs'))).find(
    ({ job_id }: { job_id: string }) => job_id === id,
  );
  const preview = await json(
    ann.get(`/api/staging/push/preview?job_id=${id}&target_image=app&target_tag=1&folder=shop`),
  );
  const tags = await json(ann.get('/api/images/__local__/tags?repository=shop/app'));
  const standing = await json(
    ann.get('/api/images/__local__/standing?repository=shop/app&reference=1'),
  );
  const { items: images } = await json(ann.get('/api/folders/shop/images'));
  const { standing: ofJob, vuln_result: result } = await jobOf(ann, id);
  return { listed: listed.standing, preview, tags, standing, images, ofJob, result };
}

describe('a CVE in two packages', () => {
  it('is one at each place', async () => {
    const id = await scanned(ann, { folder: 'shop' });
    const all = await said(id);
    const told = await announced();
    const numbers = {
      job: all.ofJob.blocking_total,
      list: all.listed.blocking_total,
      preview: all.preview.decision.blocking_total,
      tag: all.tags[0].standing.blocking_total,
      drawer: all.standing.blocking_total,
      folder: all.images[0].blocking_total,
      verdict: all.result.blocking.HIGH,
      kept: kept().outcome.blocking.length,
      bell: told.bell.blocking_total,
    };
    expect(new Set(Object.values(numbers)), JSON.stringify(numbers)).toEqual(new Set([2]));
    expect(all.preview.reason).toContain('2 high (');
    for (const place of [all.ofJob, all.listed, all.tags[0].standing, all.images[0], told.bell])
      expect(place).toMatchObject({
        ...{ state: 'blocked', code: 'VULN_BLOCKED', fixable_total: 1 },
        found: { HIGH: 2, MEDIUM: 1 },
      });
    for (const place of [all.ofJob, all.listed, all.tags[0].standing, all.images[0]])
      expect(place.blocking_counts).toMatchObject({ HIGH: 2 });
    const words = 'blocked · 2 vulnerabilities, 1 of them with a fix';
    expect(standingText(kept().standing)).toBe(words);
    for (const text of [told.mail, told.slack, told.teams]) expect(text).toContain(words);
  });

  it('is what a request for a review asks about', async () => {
    const job_id = await scanned(ann, { folder: 'team' });
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const target = { target_image: 'app', target_tag: '1', folder: 'team' };
    const body = { job_id, ...target, reason: 'needed', until };
    expect(await json(ann.post('/api/reviews', body))).toMatchObject({
      ...{ findings_total: 2, counts: { HIGH: 2 } },
    });
  });
});

/** As the worker keeps it for the overview, and announces it to the bell, mails and webhooks. */
function kept() {
  const placed = { digest, repository: 'shop/app', folder: 'shop' };
  const policy = defaultPolicy(DEFAULT_POLICY);
  const feeds = { kev: null, epss: null };
  const now = new Date();
  const facts = factsOf(REPORT);
  const judged = standingOf({
    facts,
    policy,
    waivers: [],
    feeds,
    image: placed,
    ...{ sightedAt: null, signatures: null, authorities: new Map() },
    now,
  });
  const subject = {
    ...({ kind: 'image', standing: judged } as const),
    ...{ lastScanFailed: false, databaseAt: null, waitsUntil: null, signed: judged },
  };
  const known = { standing: judged, found: foundIn(facts), waivers: [] };
  const standing = subjectStanding(subject, judgeSubject({ subject, policy, now }), known);
  return { outcome: outcomeOf(subject, policy, now), standing };
}

async function announced() {
  const event = {
    ...{ id: randomUUID(), at: new Date().toISOString(), event: 'image.blocked' },
    ...({ outcome: 'success', actor: { id: null, name: 'gate' } } as const),
    resource: { kind: 'image', id: digest, name: 'shop/app', folder: 'shop' },
    detail: { [EVENT_STANDING]: eventStanding(kept().standing), owners: [{ id: annId }] },
  };
  const drafts = notificationsOf(event).map((draft) => ({ ...draft, userId: annId }));
  await api.store.notifications.insert(drafts);
  const { items } = await json(ann.get('/api/notifications'));
  const bell = items.find(({ kind }: { kind: string }) => kind === 'image.blocked');
  const [message] = webhookMessages(event, 'shop');
  if (!message) throw new Error('the webhook gets no message');
  const body = (format: 'slack' | 'teams') => webhookBody(cloudEvent(message, '/'), format);
  return {
    bell: bell.facts.standing,
    mail: standingMail([event], annId).text,
    ...{ slack: body('slack'), teams: body('teams') },
  };
}

describe('a destination of a pull', () => {
  it('is kept with the job, whose policy judges it', async () => {
    const id = await scanned(ann, { folder: 'lax' });
    const job = await jobOf(ann, id);
    expect(job).toMatchObject({
      ...{ status: 'staged', verdict: 'blocked', blocked: true },
      destination: { kind: 'local', folder: 'lax', repository: 'lax/app', tag: '1' },
      standing: { state: 'passes', policy: { name: 'lax' }, destination: { folder: 'lax' } },
    });
  });

  it('may have another name there', async () => {
    const destination = { folder: 'team', target_image: 'x/tool', target_tag: 'v1' };
    const id = await pulled(ann, destination);
    expect((await jobOf(ann, id)).destination).toMatchObject({
      ...{ folder: 'team', repository: 'team/x/tool', tag: 'v1' },
    });
  });

  it('may be left out: the default policy judges', async () => {
    const job = await jobOf(ann, await scanned(ann));
    expect(job).toMatchObject({
      destination: null,
      standing: { state: 'blocked', destination: null, policy: { id: null } },
    });
  });

  it('may be a saved registry', async () => {
    const registry = { name: 'outside', host: 'registry.example', ownerId: null };
    const { id } = await api.store.registries.insert(registry);
    const job = await jobOf(ann, await pulled(ann, { external_registry_id: id }));
    expect(job.destination).toMatchObject({ kind: 'registry', registry_id: id, folder: null });
  });

  it.each([
    ['without rights', 'hidden'],
    ['that does not exist', 'nowhere'],
  ])('%s is refused as a push there', async (_, folder) => {
    const pull = { source_registry_host: 'ghcr.io', image: 'x/app', tag: '1' };
    const reply = ann.post('/api/staging/pull', { ...pull, destination: { folder } });
    expect(await codeOf(reply)).toEqual([403, 'FOLDER_FORBIDDEN']);
  });

  it('is what is proposed next, as long as the account may push there', async () => {
    const last = async (by: Client) => (await json(by.get('/api/staging/destination'))).destination;
    await pulled(ann, { folder: 'lax' });
    expect(await last(ann)).toMatchObject({ kind: 'local', folder: 'lax' });
    await pulled(ann);
    expect(await last(ann)).toMatchObject({ folder: 'lax' });
    expect(await last(admin)).toBeNull();
  });
});

describe('elsewhere', () => {
  it('are the folders that the caller may push to and that answer otherwise', async () => {
    const { elsewhere } = await jobOf(ann, await scanned(ann, { folder: 'team' }));
    expect(elsewhere).toMatchObject([{ folder: 'lax', state: 'passes', policy: { name: 'lax' } }]);
  });

  it('is nothing of a job that waits', async () => {
    const job = await jobOf(ann, await pulled(ann, { folder: 'team' }));
    expect(job).toMatchObject({ elsewhere: [], standing: { state: 'waits', waits_for: 'pull' } });
  });
});

describe('a waiver', () => {
  it('allows the image in its folder, in each place with its end and its reviewer', async () => {
    const id = await scanned(ann, { folder: 'shop' });
    const expiresAt = new Date(Date.now() + 3_600_000);
    for (const vulnerability of OPENSSL) await waived(vulnerability, expiresAt);
    await publishChange(api.redis, 'gate');
    const allowed = {
      ...{ state: 'allowed', code: null, blocking_total: 0, waived_total: 2 },
      ...{ until: expiresAt.toISOString(), by: ['rev'] },
    };
    await expect.poll(async () => (await jobOf(ann, id)).standing).toMatchObject(allowed);
    const { listed, tags, images } = await said(id);
    for (const place of [listed, tags[0].standing, images[0]]) expect(place).toMatchObject(allowed);
    const { elsewhere } = await jobOf(ann, id);
    expect(elsewhere.map(({ folder, state }: Answer) => [folder, state])).toEqual([
      ['lax', 'passes'],
      ['team', 'blocked'],
    ]);
  });
});

describe('a bypass', () => {
  it('is seen by the owner of the job, by a reviewer of the folder, and by no other', async () => {
    const id = await scanned(ann, { folder: 'team' });
    const repository = 'team/passed';
    await tagged(repository);
    const push: Push = {
      ...{ id: randomUUID(), status: 'done', kind: 'local', registryId: null, host: 'local' },
      ...{ repository, tag: '1', digest, error: null, bypassed: 'VULN_BLOCKED' },
      ...{ bytesDone: 1, bytesTotal: 1, bytesMounted: 0, bypass: { allowed: true, reason: 'r' } },
      ...{ requestedById: adminId, requestedBy: 'root' },
      ...{ createdAt: new Date(), finishedAt: new Date() },
    };
    await api.store.jobs.update(id, (job) => ({ ...job, status: 'pushed', pushes: [push] }));
    const revId = await api.account('rev', { canBypassVulnBlock: true });
    await api.grant(revId, 'team', { canPull: true });
    await api.account('eve');
    const [rev, eve] = await Promise.all([api.as('rev'), api.as('eve')]);
    const tagsOf = (by: Client) => by.get(`/api/images/__local__/tags?repository=${repository}`);
    const bypassed = { state: 'bypassed', by: ['root'], code: 'VULN_BLOCKED', blocking_total: 2 };
    for (const by of [ann, admin])
      expect((await jobOf(by, id)).standing).toMatchObject({
        ...bypassed,
        destination: { folder: 'team' },
      });
    for (const by of [ann, rev]) {
      const [tag] = await json(tagsOf(by));
      expect(tag.standing).toMatchObject(bypassed);
      const { items } = await json(by.get('/api/folders/team/images'));
      expect(items).toMatchObject([bypassed]);
    }
    for (const by of [rev, eve])
      expect(await codeOf(by.get(`/api/staging/jobs/${id}`))).toEqual([404, 'JOB_UNKNOWN']);
    expect(await codeOf(tagsOf(eve))).toEqual([403, 'FOLDER_FORBIDDEN']);
  });
});

interface Answer {
  folder: string;
  state: string;
}

async function waived(vulnerability: string, expiresAt: Date): Promise<void> {
  const waiver = await api.store.waivers.insertWaiver({
    ...{ vulnerability, package: null, packageVersion: null, digest: null, repository: null },
    ...{ folder: 'shop', status: 'accepted', justification: null, reason: 'r', ticket: null },
    ...{ vexDocument: null, requestedById: adminId, expiresAt },
  });
  const approvals = [{ accountId: adminId, username: 'rev', at: new Date() }];
  await api.store.waivers.save({ ...waiver, state: 'approved', approvals });
}
