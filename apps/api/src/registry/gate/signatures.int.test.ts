/** Signatures at the doors, by facts that are stored as a worker stores them. */
import type { GateDecision, ImageTag } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, type SignatureFact } from '@portcullis/domain';
import { publishChange, publishReports } from '@portcullis/events';
import { json, pushImage, randomImage, refusal, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport, cleanReport } from './report.fixture.ts';

const ACCEPT = 'application/vnd.oci.image.manifest.v1+json';
const SIGNATURE = `sha256:${'5'.repeat(64)}`;
const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;

let api: TestApi;
let root: Client;
let ann: Client;
let policyId: string;

beforeAll(async () => {
  api = await startApi({ PULL_GATE_WAIT_SECONDS: '0' });
  await api.account('root', { isAdmin: true });
  root = await api.as('root');
  await authority('release');
  await authority('security');
  const account = await api.account('ann');
  const { folderId } = await api.grant(account, 'signed', { canPull: true, canPush: true });
  const signatures = [{ images: 'signed/**', any_of: ['release'] }];
  const terms = { rules: [{ severities: ['CRITICAL'] }], grace_days: 0, signatures };
  ({ id: policyId } = await json(root.post('/api/policies', { name: 'signed', ...terms })));
  await root.patch(`/api/folders/${folderId}`, { policy_id: policyId, pull_gate: 'enforce' });
  ann = await api.as('ann');
});

afterAll(() => api?.stop());

async function authority(name: string): Promise<void> {
  const document = { name, kind: 'key', keys: '' };
  await api.store.authorities.insertAuthority({ name, document, savedBy: 'root' });
  await publishChange(api.redis, 'gate');
}

async function image(report = cleanReport()): Promise<TestImage> {
  const made = await randomImage({ layers: 1, bytes: 2_000, compression: 'gzip' });
  const credentials = { username: 'root', password: 'pass-of-root' };
  await pushImage(api.url, 'signed/app', '1', made, { credentials });
  await api.store.reports.record({ digest: made.digest, report, scannedAt: new Date() });
  await publishReports(api.redis, [made.digest]);
  return made;
}

const VERIFIED: SignatureFact = {
  ...{ authority: 'release', authorityVersion: 1, signature: SIGNATURE, predicateType: null },
  verified: {
    ...{ signer: 'ci@example.org', at: new Date('2026-11-20T10:00:00Z'), timeSource: 'LOG' },
    ...{ by: 'https://rekor.example', log: 'https://rekor.example', until: null },
  },
  reason: null,
};
const OTHER_KEY: SignatureFact = {
  ...VERIFIED,
  ...{ verified: null, reason: { code: 'KEY_DIFFERS', params: {} } },
};

/** As the worker keeps them. */
async function read({ digest }: TestImage, facts: SignatureFact[], version = 1): Promise<void> {
  const place = { digest, registry: LOCAL_REGISTRY_ID, repository: 'signed/app' };
  const claimed = await api.store.signatureFacts.claim(place);
  if (claimed === null) throw new Error('another worker reads it');
  const limits = { unread: 0, isComplete: true, root: '2026-01-01' };
  await api.store.signatureFacts.save(claimed, { facts, askedOf: { release: version }, ...limits });
  await publishReports(api.redis, [digest]);
}

function pull({ digest }: TestImage): Promise<Response> {
  const headers = { accept: ACCEPT, authorization };
  return fetch(`${api.url}/v2/signed/app/manifests/${digest}`, { headers });
}

const standing = ({ digest }: { digest: string }): Promise<GateDecision> =>
  json(
    root.get(`/api/images/${LOCAL_REGISTRY_ID}/standing?repository=signed/app&reference=${digest}`),
  );

describe('a pull', () => {
  it('waits for signatures that were not verified yet: that is no absence', async () => {
    const unknown = await image();
    const { errors } = await refusal(pull(unknown));
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining(
        'blocked by policy "signed": its signatures are being verified; try again in a moment',
      ),
    });
    expect(await standing(unknown)).toMatchObject({
      code: 'SIGNATURES_NOT_VERIFIED',
      signatures: [{ any_of: ['release'], all_of: null, answers: [{ state: 'not_verified' }] }],
    });
  });

  it('of an unsigned image is refused with one sentence that says what is missing', async () => {
    const unsigned = await image();
    await read(unsigned, [OTHER_KEY]);
    await expect.poll(async () => (await standing(unsigned)).code).toBe('SIGNATURE_MISSING');
    const { errors } = await refusal(pull(unsigned));
    expect(errors[0]).toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining(
        'blocked by policy "signed": it lacks a signature by release: release: another key made it',
      ),
    });
  });

  it('of a signed image is served, and its decision says who signed and when', async () => {
    const signed = await image();
    await read(signed, [OTHER_KEY, VERIFIED]);
    await expect.poll(async () => (await pull(signed)).status).toBe(200);
    const answer = {
      ...{ authority: 'release', state: 'signed', uncounted_total: 1 },
      uncounted: [{ signature: SIGNATURE, code: 'KEY_DIFFERS', params: {} }],
      signed: [
        {
          ...{ signature: SIGNATURE, signer: 'ci@example.org', at: '2026-11-20T10:00:00.000Z' },
          ...{ time_source: 'LOG', by: 'https://rekor.example', log: 'https://rekor.example' },
        },
      ],
    };
    expect(await standing(signed)).toMatchObject({
      ...{ outcome: 'served', because: 'passes', code: null },
      signatures: [{ requirement: 0, code: null, answers: [answer] }],
    });
  });

  it('of an image that was verified by another version of the authority waits again', async () => {
    const signed = await image();
    await read(signed, [{ ...VERIFIED, authorityVersion: 7 }], 7);
    await expect.poll(async () => (await standing(signed)).code).toBe('SIGNATURES_NOT_VERIFIED');
    expect((await pull(signed)).status).toBe(403);
  });

  it('names the findings of an image that is blocked as well', async () => {
    const bad = await image(blockedReport());
    await read(bad, []);
    expect(await standing(bad)).toMatchObject({ code: 'VULN_BLOCKED' });
  });

  it('of an image whose lack of signatures another account accepted passes, until it ends', async () => {
    const [accepted, other] = [await image(), await image()];
    for (const each of [accepted, other]) await read(each, []);
    const wanted = {
      ...{ vulnerability: 'SIGNATURE_MISSING', folder: 'signed', status: 'accepted' },
      ...{ reason: 'old', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    };
    expect((await ann.post('/api/waivers', wanted)).status).toBe(422);
    const { id } = await json(ann.post('/api/waivers', { ...wanted, digest: accepted.digest }));
    expect((await pull(accepted)).status).toBe(403);
    await json(root.post(`/api/waivers/${id}/approve`));
    await expect.poll(async () => (await pull(accepted)).status).toBe(200);
    expect(await standing(accepted)).toMatchObject({
      signature_waiver: { waiver: id, until: wanted.expires_at },
    });
    expect((await pull(other)).status).toBe(403);
    await json(root.post(`/api/waivers/${id}/revoke`, { reason: 'withdrawn' }));
    await expect.poll(async () => (await pull(accepted)).status).toBe(403);
  });
});

it('lists say of a tag what the gate says', async () => {
  const unsigned = await image();
  await read(unsigned, []);
  const tags = (): Promise<ImageTag[]> =>
    json(root.get(`/api/images/${LOCAL_REGISTRY_ID}/tags?repository=signed/app`));
  await expect
    .poll(tags)
    .toMatchObject([
      { digest: unsigned.digest, standing: { state: 'blocked', code: 'SIGNATURE_MISSING' } },
    ]);
});

describe('a policy', () => {
  const save = async (signatures: object[]) => {
    const { version } = await json(root.get(`/api/policies/${policyId}`));
    return root.patch(`/api/policies/${policyId}`, { version, signatures });
  };

  it('names no authority that there is not', async () => {
    const unknown = [
      { images: '**', any_of: ['release'] },
      { images: '**', all_of: ['release', 'typo'] },
    ];
    const refused = await save(unknown);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      {
        errors: [
          {
            ...{ path: 'signatures.1.all_of.1', code: 'AUTHORITY_UNKNOWN' },
            params: { authority: 'typo' },
          },
        ],
      },
    ]);
    const draft = { draft: { rules: [], signatures: unknown } };
    expect((await root.post('/api/policies/preview', draft)).status).toBe(422);
  });

  it('keeps what it asks for in its versions, and the authorities that it names', async () => {
    const asked = { images: 'signed/**', all_of: ['release'], attestation: 'https://slsa.dev/p' };
    await json(save([asked]));
    const { signatures, versions } = await json(root.get(`/api/policies/${policyId}`));
    expect(signatures).toEqual([{ ...asked, any_of: null }]);
    expect(versions[0].signatures).toEqual(signatures);
    await expect(api.store.authorities.remove('release')).rejects.toMatchObject({
      code: 'AUTHORITY_IN_USE',
    });
    await json(save([{ images: 'signed/**', any_of: ['release'] }]));
  });

  it('says in its preview what it would block', async () => {
    const signed = await image();
    await read(signed, [VERIFIED]);
    await expect.poll(async () => (await standing(signed)).code).toBeNull();
    const draft = { rules: [], signatures: [{ images: '**', any_of: ['security'] }] };
    const preview = await json(root.post('/api/policies/preview', { folder: 'signed', draft }));
    expect(preview).toMatchObject({
      newly_blocked: 1,
      items: [{ digest: signed.digest, code: 'SIGNATURES_NOT_VERIFIED' }],
    });
  });
});
