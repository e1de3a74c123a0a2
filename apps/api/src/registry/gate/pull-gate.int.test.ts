/** The pull gate of `/v2` with the real registry, database and Redis. */
import { generateSigningKey, openSigningKey, signStatement } from '@portcullis/attest';
import { PREDICATE_TYPES, type PullGateMode, type ScanReport } from '@portcullis/domain';
import { type AuditEvent, publishReports } from '@portcullis/events';
import {
  buildArtifact,
  pushImage,
  randomImage,
  refusal,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { published, startApi, type TestApi } from '../../api.fixture.ts';
import { blockedReport, cleanReport } from './report.fixture.ts';

const ACCEPT =
  'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json';

let api: TestApi;
let second: TestApi;
const modes: PullGateMode[] = ['off', 'report', 'enforce'];

beforeAll(async () => {
  api = await startApi({ PULL_GATE_WAIT_SECONDS: '1' });
  second = await startApi({ PULL_GATE_WAIT_SECONDS: '30' }, api);
  await api.account('root', { isAdmin: true });
  await api.account('trusted', { canBypassVulnBlock: true });
  const ids = [await api.account('ann'), (await api.store.users.findByUsername('trusted'))?.id];
  for (const mode of modes)
    for (const id of ids) {
      const { folderId } = await api.grant(id ?? '', mode, { canPull: true });
      await api.store.folders.update(folderId, { pullGate: mode });
    }
});

afterAll(async () => {
  await second?.stop();
  await api?.stop();
});

async function imageIn(mode: PullGateMode, report: ScanReport | null): Promise<TestImage> {
  const image = await randomImage({ layers: 1, bytes: 2_000, compression: 'gzip' });
  await pushImage(api.registry.url, `${mode}/app`, '1', image);
  if (report) await record(image, report);
  return image;
}

async function record({ digest }: TestImage, report: ScanReport): Promise<void> {
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
  await publishReports(api.redis, [digest]);
}

function pull(
  mode: string,
  reference: string,
  { by = 'ann', method = 'GET', from = api, headers = {} as Record<string, string> } = {},
): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${by}:pass-of-${by}`).toString('base64')}`;
  const init = { method, headers: { accept: ACCEPT, authorization, ...headers } };
  return fetch(`${from.url}/v2/${mode}/app/manifests/${reference}`, init);
}

async function eventsOf(digest: string): Promise<AuditEvent[]> {
  const events = await published(api, 200);
  return events.filter(
    ({ event, resource, detail }) =>
      event === 'image.pulled_blocked' &&
      (resource?.id === digest || JSON.stringify(detail).includes(digest)),
  );
}

describe('a read of a manifest', () => {
  const reports = { clean: cleanReport(), blocked: blockedReport(), unknown: null };
  const table = modes.flatMap((mode) =>
    (['clean', 'blocked', 'unknown'] as const).flatMap((state) =>
      ['ann', 'trusted', 'root'].flatMap((by) =>
        ['GET', 'HEAD'].map((method) => ({ mode, state, by, method })),
      ),
    ),
  );

  function expected({ mode, state, by }: (typeof table)[number]): number {
    if (mode !== 'enforce' || by !== 'ann' || state === 'clean') return 200;
    return state === 'blocked' ? 403 : 429;
  }

  it.each(modes)('with the mode %s has the status of the table', async (mode) => {
    for (const state of ['clean', 'blocked', 'unknown'] as const) {
      const { digest } = await imageIn(mode, reports[state]);
      for (const row of table.filter((each) => each.mode === mode && each.state === state)) {
        const { by, method } = row;
        for (const reference of ['1', digest])
          expect([row, (await pull(mode, reference, { by, method })).status]).toEqual([
            row,
            expected(row),
          ]);
      }
    }
  });

  it('says in one line why it is refused, and where the details are', async () => {
    await imageIn('enforce', blockedReport());
    const reply = await pull('enforce', '1');
    const { errors } = await refusal(reply);
    expect(errors).toEqual([
      {
        code: 'DENIED',
        message: `blocked by policy "default": 1 critical (CVE-2026-1234 in openssl 3.0.1, fixed in 3.0.2). Details: ${api.url}/images/__local__/enforce/app`,
        detail: { code: 'VULN_BLOCKED' },
      },
    ]);
  });

  it('says when to ask again about an image without a report, and requests its scan', async () => {
    const { digest } = await imageIn('enforce', null);
    const reply = await pull('enforce', '1');
    expect(reply.headers.get('retry-after')).toBe('10');
    expect(await refusal(reply)).toMatchObject({ errors: [{ code: 'TOOMANYREQUESTS' }] });
    const found = async () => {
      const scans = { registryId: '__local__', repository: 'enforce/app' };
      const { items } = await api.store.scans.list(scans);
      return items.filter((scan) => scan.digest === digest);
    };
    await expect.poll(found).toHaveLength(1);
  });

  it('waits for a report that another process announces', async () => {
    const image = await imageIn('enforce', null);
    const held = pull('enforce', '1', { from: second });
    await expect.poll(async () => (await pull('enforce', image.digest)).status).toBe(429);
    await record(image, cleanReport());
    expect((await held).status).toBe(200);
  });

  it('is refused where its account was disabled while it waited', async () => {
    const id = await api.account('leaving');
    await api.grant(id, 'enforce', { canPull: true });
    const image = await imageIn('enforce', null);
    const held = pull('enforce', '1', { from: second, by: 'leaving' });
    await expect.poll(async () => (await pull('enforce', image.digest)).status).toBe(429);
    await (await api.as('root')).patch(`/api/auth/users/${id}`, { disabled: true });
    const authorization = `Basic ${Buffer.from('leaving:pass-of-leaving').toString('base64')}`;
    const ping = () => fetch(`${second.url}/v2/`, { headers: { authorization } });
    await expect.poll(async () => (await ping()).status).toBe(401);
    await record(image, cleanReport());
    expect((await held).status).toBe(401);
  });

  it('serves no other bytes than those that were judged while a tag moves', async () => {
    const clean = await imageIn('enforce', cleanReport());
    expect((await pull('enforce', '1')).headers.get('docker-content-digest')).toBe(clean.digest);
    await imageIn('enforce', blockedReport());
    expect((await pull('enforce', '1')).status).toBe(403);
    expect((await pull('enforce', clean.digest)).status).toBe(200);
  });

  it.each([
    ['a user agent', { 'user-agent': 'Trivy/0.74.0' }],
    ['a condition', { 'if-none-match': '*' }],
    ['a range', { range: 'bytes=0-10' }],
    ['a forwarded address', { 'x-forwarded-for': '127.0.0.1' }],
  ])('is refused whatever the request says: %s', async (_, headers) => {
    const { digest } = await imageIn('enforce', blockedReport());
    const condition = 'if-none-match' in headers ? { 'if-none-match': `"${digest}"` } : headers;
    const reply = await pull('enforce', '1', { headers: condition as Record<string, string> });
    expect(reply.status).toBe(403);
  });

  it('has no other path to the manifest: blobs do not name it', async () => {
    const { digest } = await imageIn('enforce', blockedReport());
    const authorization = `Basic ${Buffer.from('ann:pass-of-ann').toString('base64')}`;
    const reply = await fetch(`${api.url}/v2/enforce/app/blobs/${digest}`, {
      headers: { authorization },
    });
    expect(reply.status).toBe(404);
  });
});

describe('a signed statement about an image', () => {
  const key = openSigningKey(generateSigningKey());

  /** As a worker stores it. */
  async function statementOf(
    { descriptor: subject }: TestImage,
    change: Partial<Parameters<typeof buildArtifact>[0]> = {},
  ): Promise<TestImage> {
    const signed = signStatement(key, { predicateType: PREDICATE_TYPES.verdict });
    const { mediaType: artifactType, bytes } = signed;
    const layers = [{ mediaType: artifactType, bytes }];
    const statement = buildArtifact({ artifactType, layers, subject, ...change });
    await pushImage(api.registry.url, 'enforce/app', null, statement);
    return statement;
  }

  const answer = async ({ digest }: TestImage) => {
    const response = await pull('enforce', digest);
    return response.status === 200 ? 'served' : (await response.json()).errors[0].message;
  };

  it('is served and refused as its image is, although no scan judges it', async () => {
    const [passes, blocked, unknown] = [
      await imageIn('enforce', cleanReport()),
      await imageIn('enforce', blockedReport()),
      await imageIn('enforce', null),
    ];
    expect(await answer(await statementOf(passes))).toBe('served');
    expect(await answer(await statementOf(blocked))).toBe(await answer(blocked));
    expect(await answer(await statementOf(unknown))).toContain('is being scanned');
  });

  it('is none where an engine could run it: that is decided by what it holds', async () => {
    const passes = await imageIn('enforce', cleanReport());
    const { blobs } = await imageIn('enforce', null);
    const [config, ...layers] = blobs.map(({ descriptor, bytes }) => ({ ...descriptor, bytes }));
    const claimed = await statementOf(passes, { layers, ...(config && { config }) });
    expect(await answer(claimed)).toContain('is being scanned');
    await record(claimed, blockedReport());
    await expect.poll(() => answer(claimed)).toContain('CVE-2026-1234');
  });
});

describe('the audit log', () => {
  it.each([
    ['report', 'ann', 'mode', 'success'],
    ['enforce', 'trusted', 'bypass', 'success'],
    ['enforce', 'ann', null, 'denied'],
  ] as const)(
    'has the decision about a blocked image: %s %s',
    async (mode, by, because, outcome) => {
      const { digest } = await imageIn(mode, blockedReport());
      await pull(mode, '1', { by });
      await expect.poll(() => eventsOf(digest)).toHaveLength(1);
      const [event] = await eventsOf(digest);
      expect(event).toMatchObject({
        outcome,
        detail: {
          decision: {
            because,
            digest,
            policy: { name: 'default' },
            blocking: [{ vulnerability: 'CVE-2026-1234', rule: 0 }],
          },
        },
      });
    },
  );

  it('has no such event for a clean image', async () => {
    const { digest } = await imageIn('enforce', cleanReport());
    await pull('enforce', '1');
    expect(await eventsOf(digest)).toEqual([]);
  });
});

describe('grace', () => {
  it('serves what passed here before, with a warning that says until when', async () => {
    const image = await imageIn('enforce', cleanReport());
    expect((await pull('enforce', '1')).status).toBe(200);
    await record(image, blockedReport());
    await expect
      .poll(async () => (await pull('enforce', '1')).headers.get('warning'))
      .toMatch(/default blocks this image; it is served until 20/);
  });
});

describe('the digest of a blob, where a manifest is asked for', () => {
  it.each(modes)('has none with the mode %s', async (mode) => {
    const image = await imageIn(mode, cleanReport());
    for (const { descriptor } of image.blobs) {
      const reply = await pull(mode, descriptor.digest);
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ errors: [{ code: 'MANIFEST_UNKNOWN' }] });
      expect((await pull(mode, descriptor.digest, { method: 'HEAD' })).status).toBe(404);
    }
  });

  it('has none to explain', async () => {
    const { blobs } = await imageIn('enforce', cleanReport());
    for (const { descriptor } of blobs) {
      const question = new URLSearchParams({
        repository: 'enforce/app',
        reference: descriptor.digest,
      });
      const reply = await (await api.as('root')).get(`/api/gate/explain?${question}`);
      expect(reply.status).toBe(404);
      expect(await reply.text()).not.toContain('localhost');
    }
  });
});
