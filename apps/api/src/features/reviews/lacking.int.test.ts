/**
 * Review requests for what an image lacks. One for its age says until when the image waits and ends
 * by itself once it is old enough; one for signatures says whose are missing. An approval lets that
 * one digest pass.
 */
import {
  DEFAULT_POLICY,
  judge,
  LOCAL_REGISTRY_ID,
  type ScanReport,
  type SignatureFact,
} from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../api.fixture.ts';
import { cleanReport, reportWith } from '../../registry/gate/report.fixture.ts';

const HOUR_MS = 3_600_000;
const CVE = 'CVE-2026-1';

let api: TestApi;
let dev: Client;
let rita: Client;
let devId: string;

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
  await api.account('root', { isAdmin: true });
  devId = await api.account('dev');
  const ritaId = await api.account('rita', { canBypassVulnBlock: true });
  await api.grant(devId, 'slow', { canPull: true, canPush: true, canPullExternal: true });
  await api.grant(ritaId, 'slow', { canPull: true });
  const root = await api.as('root');
  [dev, rita] = await Promise.all([api.as('dev'), api.as('rita')]);
  await api.grant(devId, 'signed', { canPull: true, canPush: true });
  await api.grant(ritaId, 'signed', { canPull: true });
  const rules = [{ severities: ['CRITICAL'] }];
  for (const name of ['release', 'security'])
    await api.store.authorities.insertAuthority({
      ...{ name, document: { name, kind: 'key', keys: '' }, savedBy: 'root' },
    });
  await publishChange(api.redis, 'gate');
  const signatures = [
    { images: '**', any_of: ['release'] },
    { images: 'signed/app', all_of: ['security'] },
    { images: 'signed/other', all_of: ['release'] },
  ];
  const signed = await json(root.post('/api/policies', { name: 'signed', rules, signatures }));
  await root.patch('/api/folders/signed', { policy_id: signed.id, pull_gate: 'enforce' });
  const terms = { name: 'patient', rules, min_age_hours: 24 };
  const { id: policy_id } = await json(root.post('/api/policies', terms));
  await root.patch('/api/folders/slow', { policy_id, pull_gate: 'enforce' });
});
afterAll(() => api?.stop());

let images = 0;
const flawed = () => reportWith([{ id: CVE, severity: 'CRITICAL' }]);

/** A staged job of an image that was first seen so long ago. */
async function staged(report: ScanReport, hoursAgo = 1) {
  images += 1;
  const digest = `sha256:${String(images).padStart(64, '0')}`;
  const seen = new Date(Date.now() - hoursAgo * HOUR_MS);
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await api.store.jobs.insert({ ownerId: devId, image: 'app', tag: '1', source });
  const overrides = { vulnScanEnabled: null, vulnSeverities: null };
  const { verdict, result } = judge(report, DEFAULT_POLICY, overrides);
  await api.store.jobs.update(id, (job) => ({
    ...job,
    ...{ status: 'staged', verdict, vulnResult: result, size: 1, sightedAt: seen },
    digest,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
  }));
  return { id, seen, digest };
}

const ask = (job_id: string | undefined, change: object = {}) =>
  dev.post('/api/reviews', {
    ...{ job_id, target_image: 'app', target_tag: '1', folder: 'slow', reason: 'a fix' },
    ...{ until: new Date(Date.now() + 30 * 24 * HOUR_MS).toISOString(), ...change },
  });
const decide = (number: number, body: object = {}) =>
  json(rita.post(`/api/reviews/${number}/decision`, { decision: 'approve', ...body }));
const leftBy = async (number: number) =>
  (await json(rita.get(`/api/waivers?review=${number}`))) as { vulnerability: string }[];
const mayPush = async (job_id: string, folder = 'slow') => {
  const asked = { job_id, folder, target_image: 'app', target_tag: '1' };
  return json(dev.get(`/api/staging/push/preview?${new URLSearchParams(asked)}`));
};

describe('a request for an image that is only too young', () => {
  it('names the first sighting and the end of the wait, at which it ends by itself', async () => {
    const { id, seen } = await staged(cleanReport());
    const answer = await ask(id);
    const review = await json(answer);
    const waits_until = new Date(seen.getTime() + 24 * HOUR_MS).toISOString();
    const age = { sighted_at: seen.toISOString(), waits_until, approved: null };
    expect([answer.status, review]).toMatchObject([
      201,
      { findings_total: 0, counts: { CRITICAL: 0 }, age, ends_at: waits_until },
    ]);
    const detail = await json(rita.get(`/api/reviews/${review.number}`));
    expect(detail).toMatchObject({
      findings: [],
      age,
      decision: { code: 'TOO_YOUNG', waits_until },
    });
    const events = await published(api, 1_000);
    expect(events.find(({ event }) => event === 'review.requested')?.detail).toMatchObject({
      ...{ number: review.number, findings: 0, waits_until },
    });
    expect(await codeOf(ask(id))).toEqual([409, 'REVIEW_OPEN']);
  });

  it('leaves one waiver of the age of that digest, and the image may be pushed', async () => {
    const { id } = await staged(cleanReport());
    expect(await mayPush(id)).toMatchObject({ allowed: false, code: 'TOO_YOUNG' });
    const { number, image } = await json(ask(id));
    expect(await decide(number)).toMatchObject({
      ...{ state: 'approved', approved_total: 0, age: { approved: true } },
    });
    expect(await leftBy(number)).toMatchObject([
      { vulnerability: 'TOO_YOUNG', digest: image.digest, folder: 'slow', state: 'approved' },
    ]);
    expect(await mayPush(id)).toMatchObject({ allowed: true });
    const { id: other } = await staged(cleanReport());
    expect(await mayPush(other)).toMatchObject({ allowed: false, code: 'TOO_YOUNG' });
    expect(await codeOf(ask(id))).toEqual([409, 'REVIEW_NOT_NEEDED']);
  });

  it('is not needed once the image is old enough', async () => {
    const { id } = await staged(cleanReport(), 25);
    expect(await codeOf(ask(id))).toEqual([409, 'REVIEW_NOT_NEEDED']);
  });

  it('of a tag needs no job', async () => {
    images += 1;
    const digest = `sha256:${String(images).padStart(64, '0')}`;
    const at = new Date();
    await api.store.images.record({
      ...{ repository: 'slow/tagged', tag: '1', digest, manifests: [], at },
    });
    await api.store.reports.record({ digest, report: cleanReport(), scannedAt: at });
    const review = await json(ask(undefined, { target_image: 'tagged' }));
    expect(review).toMatchObject({ job_id: null, findings_total: 0, age: { approved: null } });
    await decide(review.number);
    expect(await leftBy(review.number)).toMatchObject([{ vulnerability: 'TOO_YOUNG', digest }]);
  });
});

describe('a request for an image that is blocked and too young', () => {
  it('asks for both, and ends with neither alone', async () => {
    const { id, seen } = await staged(flawed());
    const review = await json(ask(id));
    expect(review).toMatchObject({ findings_total: 1, age: { approved: null } });
    expect(Date.parse(review.ends_at)).toBeGreaterThan(seen.getTime() + 25 * HOUR_MS);
    expect(await decide(review.number)).toMatchObject({ state: 'approved', approved_total: 1 });
    const left = await leftBy(review.number);
    expect(left.map(({ vulnerability }) => vulnerability).toSorted()).toEqual([CVE, 'TOO_YOUNG']);
    expect(await mayPush(id)).toMatchObject({ allowed: true });
  });

  it.each([
    [CVE, ['TOO_YOUNG'], true, 'VULN_BLOCKED'],
    ['TOO_YOUNG', [CVE], false, 'TOO_YOUNG'],
  ])('is approved without %s', async (except, expected, approved, code) => {
    const { id } = await staged(flawed());
    const { number } = await json(ask(id));
    expect(await decide(number, { except: [except] })).toMatchObject({
      ...{ state: 'partly_approved', age: { approved } },
    });
    expect((await leftBy(number)).map(({ vulnerability }) => vulnerability)).toEqual(expected);
    expect(await mayPush(id)).toMatchObject({ allowed: false, code });
  });

  it('asks for one of them alone where that is named', async () => {
    const { id } = await staged(flawed());
    const { number, age } = await json(ask(id, { vulnerabilities: [CVE] }));
    expect(age).toBeNull();
    expect(await json(rita.get(`/api/reviews/${number}`))).toMatchObject({
      decision: { waits_until: expect.any(String) },
    });
    const { id: other } = await staged(flawed());
    expect(await json(ask(other, { vulnerabilities: ['TOO_YOUNG'] }))).toMatchObject({
      ...{ findings_total: 0, age: { approved: null } },
    });
    const { id: old } = await staged(flawed(), 25);
    expect(await codeOf(ask(old, { vulnerabilities: ['TOO_YOUNG'] }))).toEqual([
      ...[422, 'VULNERABILITY_NOT_BLOCKING'],
    ]);
  });
});

describe('a request for an image that is not signed', () => {
  const folder = 'signed';
  const until = null;
  const by = { signer: 'key', at: null, timeSource: null, by: null, log: null, until };

  /** As a worker reads them: those of the authorities are there, and no other. */
  async function readSignatures(digest: string, signers: readonly string[]): Promise<void> {
    const place = { digest, registry: LOCAL_REGISTRY_ID, repository: 'signed/app' };
    const claimed = await api.store.signatureFacts.claim(place);
    if (claimed === null) throw new Error('another worker reads it');
    const facts = signers.map(
      (authority): SignatureFact => ({
        ...{ authority, authorityVersion: 1, signature: digest, predicateType: null },
        ...{ verified: by, reason: null },
      }),
    );
    const askedOf = { release: 1, security: 1 };
    const limits = { unread: 0, isComplete: true, root: '2026-01-01' };
    await api.store.signatureFacts.save(claimed, { facts, askedOf, ...limits });
  }

  it('names what the policy asks and is missing; its approval leaves one waiver', async () => {
    const { id, digest } = await staged(cleanReport());
    await readSignatures(digest, ['release']);
    expect(await mayPush(id, folder)).toMatchObject({ code: 'SIGNATURE_MISSING' });
    const review = await json(ask(id, { folder }));
    const missing = [
      { images: 'signed/app', any_of: null, all_of: ['security'], attestation: null },
    ];
    expect(review).toMatchObject({
      ...{ findings_total: 0, age: null, signatures: { missing, approved: null } },
    });
    const events = await published(api, 1_000);
    expect(events.find(({ event }) => event === 'review.requested')?.detail).toMatchObject({
      ...{ number: review.number, findings: 0, missing_signatures: ['security'] },
    });
    expect(await decide(review.number)).toMatchObject({
      ...{ state: 'approved', signatures: { missing, approved: true } },
    });
    expect(await leftBy(review.number)).toMatchObject([
      { vulnerability: 'SIGNATURE_MISSING', digest, folder },
    ]);
    expect(await mayPush(id, folder)).toMatchObject({ allowed: true });
    expect(await codeOf(ask(id, { folder }))).toEqual([409, 'REVIEW_NOT_NEEDED']);
  });

  it('is not possible before its signatures were read, nor needed once it is signed', async () => {
    const { id, digest } = await staged(cleanReport());
    expect(await codeOf(ask(id, { folder }))).toEqual([409, 'REVIEW_NOT_NEEDED']);
    await readSignatures(digest, ['release', 'security']);
    expect(await codeOf(ask(id, { folder }))).toEqual([409, 'REVIEW_NOT_NEEDED']);
  });

  it('asks for its vulnerabilities as well, and an approval may leave either out', async () => {
    const { id, digest } = await staged(flawed());
    await readSignatures(digest, []);
    const { number, signatures } = await json(ask(id, { folder }));
    expect(signatures.missing).toHaveLength(2);
    expect(await decide(number, { except: ['SIGNATURE_MISSING'] })).toMatchObject({
      ...{ state: 'partly_approved', approved_total: 1, signatures: { approved: false } },
    });
    expect(await mayPush(id, folder)).toMatchObject({ code: 'SIGNATURE_MISSING' });
    const again = await json(ask(id, { folder, vulnerabilities: ['SIGNATURE_MISSING'] }));
    expect(again).toMatchObject({ findings_total: 0, signatures: { approved: null } });
    await decide(again.number);
    expect(await mayPush(id, folder)).toMatchObject({ allowed: true });
  });
});
