import { Readable } from 'node:stream';
import { JOB_EVENTS } from '@portcullis/contract';
import type { VulnResult } from '@portcullis/domain';
import { json, refusal } from '@portcullis/testing';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { type Client, codeOf, published, stagedAs, startApi, type TestApi } from './api.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let annId: string;
let bob: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  await api.account('bob');
  await api.grant(annId, 'team', { canPull: true, canPush: true, canPullExternal: true });
  await api.store.folders.insertFolder({ name: 'other' });
  [admin, ann, bob] = await Promise.all([api.as('root'), api.as('ann'), api.as('bob')]);
});
afterAll(() => api?.stop());

const NO_COUNTS = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
const CLEAN_RESULT: VulnResult = {
  coverage: 'full',
  notes: [],
  os: { family: 'debian', name: '12', eosl: false },
  targets: [],
  vulnerabilities: [],
  scanner: { name: 'trivy', version: '1', dbUpdatedAt: null },
  enabled: true,
  blocked: false,
  severities: ['CRITICAL'],
  counts: NO_COUNTS,
  fixable: NO_COUNTS,
  total: 0,
};
const LOW_RESULT: VulnResult = {
  ...CLEAN_RESULT,
  vulnerabilities: [
    {
      ...{
        id: 'CVE-1',
        severity: 'LOW',
        title: null,
        cvssScore: null,
        cvssVector: null,
        cvssSource: null,
      },
      ...{ primaryUrl: null, publishedAt: null },
      packages: [
        {
          ...{
            name: 'tar',
            installedVersion: '1',
            fixedVersion: null,
            severity: 'LOW',
            severitySource: null,
          },
          ...{
            status: 'affected',
            target: 't',
            path: null,
            purl: null,
            layerDigest: null,
            platform: null,
          },
        },
      ],
    },
  ],
  counts: { ...NO_COUNTS, LOW: 1 },
  total: 1,
};
const PULL = { image: 'team/app', tag: '1' };

async function staged(
  client: Client,
  verdict: Parameters<typeof stagedAs>[0] = 'clean',
): Promise<string> {
  const { job_id } = await json(client.post('/api/staging/pull', PULL));
  await api.store.jobs.update(job_id, stagedAs(verdict));
  return job_id;
}

describe('a process', () => {
  it('is healthy and ready, and reports every dependency', async () => {
    expect(await json(fetch(`${api.url}/api/health`))).toMatchObject({ status: 'ok' });
    expect(await json(fetch(`${api.url}/api/ready`))).toEqual({ status: 'ready' });
    const { status, sample_data, dependencies } = await json(
      fetch(`${api.url}/api/health/dependencies`),
    );
    expect(sample_data).toBe(false);
    expect(status).toBe('ok');
    expect(dependencies).toMatchObject({
      database: { ok: true },
      redis: { ok: true },
      registry: { ok: true },
      scanner: { ok: false },
    });
  });

  it('shows its version and the scanner’s state to accounts', async () => {
    expect((await fetch(`${api.url}/api/version`)).status).toBe(401);
    expect(await json(ann.get('/api/version'))).toEqual({ version: '0.1.0', commit: null });
    expect(await json(ann.get('/api/trivy/state'))).toMatchObject({
      enabled: true,
      available: false,
      policy: {
        scan_enabled: true,
        severities: ['CRITICAL', 'HIGH'],
        on_error: 'block',
        source: 'env',
      },
    });
  });

  it('answers anything unknown under /api with a JSON 404', async () => {
    const response = await fetch(`${api.url}/api/no/such/thing`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
  });

  it('sends the security headers for browsers', async () => {
    const { headers } = await fetch(`${api.url}/api/health`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // G7: only the operator can decide on HSTS.
    expect(headers.has('strict-transport-security')).toBe(false);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
    expect(headers.has('x-powered-by')).toBe(false);
  });
});

describe('a login', () => {
  function login(username: string, password: string, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ username, password });
    return fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  }

  it('gives a token and a cookie, each of which authenticates', async () => {
    const response = await login('ann', 'pass-of-ann');
    const body = await json(response);
    expect(body).toMatchObject({
      token_type: 'bearer',
      expires_in: 43_200,
      user: {
        username: 'ann',
        is_admin: false,
        capabilities: { pull_external: true, push_external: false, push: true },
      },
    });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^pc_token=[^;]+; .*HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain('Secure');
    expect(
      (await fetch(`${api.url}/api/auth/me`, { headers: { cookie: cookie.split(';')[0] ?? '' } }))
        .status,
    ).toBe(200);
    expect(
      (
        await fetch(`${api.url}/api/auth/me`, {
          headers: { authorization: `Bearer ${body.access_token}` },
        })
      ).status,
    ).toBe(200);
  });

  it('gives the same reply for an unknown account and a wrong password', async () => {
    const [unknown, wrong] = [
      await refusal(login('nobody', 'x')),
      await refusal(login('bob', 'x')),
    ];
    expect([unknown.status, unknown.code, unknown.detail]).toEqual([
      wrong.status,
      wrong.code,
      wrong.detail,
    ]);
    expect(wrong.code).toBe('LOGIN_FAILED');
  });

  it('reports a disabled account after the right password only', async () => {
    const id = await api.account('dora');
    await api.store.users.update(id, { disabled: true });
    expect(await codeOf(login('dora', 'wrong'))).toEqual([401, 'LOGIN_FAILED']);
    expect(await codeOf(login('dora', 'pass-of-dora'))).toEqual([403, 'ACCOUNT_DISABLED']);
  });

  it('is throttled after too many failures, even with the right password', async () => {
    await api.account('gus');
    for (let n = 0; n < 5; n++) await login('gus', 'wrong');
    const response = await login('gus', 'pass-of-gus');
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('from another site is refused', async () => {
    expect(await codeOf(login('ann', 'pass-of-ann', { origin: 'https://evil.example' }))).toEqual([
      403,
      'CROSS_ORIGIN',
    ]);
  });

  it('ends with its session on the server, or with its account', async () => {
    await api.account('eve');
    const [one, two] = [await api.as('eve'), await api.as('eve')];
    expect((await one.post('/api/auth/logout')).status).toBe(204);
    expect((await one.get('/api/auth/me')).status).toBe(401);
    const { id } = await json(two.get('/api/auth/me'));
    await api.store.users.update(id, { disabled: true });
    expect((await two.get('/api/auth/me')).status).toBe(401);
  });

  it('and its failure are audit events without a password', async () => {
    await login('ann', 'a-very-wrong-one');
    const events = (await published(api, 50)).filter(({ event }) => event === 'auth.login');
    expect(events.some(({ outcome, actor }) => outcome === 'denied' && actor.name === 'ann')).toBe(
      true,
    );
    expect(
      events.some(
        ({ outcome, actor }) => outcome === 'success' && actor.name === 'ann' && actor.id === annId,
      ),
    ).toBe(true);
    expect(JSON.stringify(events) + api.log.join()).not.toContain('a-very-wrong-one');
    expect(api.log.join()).not.toContain('pass-of-');
  });
});

describe('a pull', () => {
  it('writes the job, dispatches its id and answers 202', async () => {
    const response = await ann.post('/api/staging/pull', { ...PULL, platforms: ['linux/amd64'] });
    const job = await json(response);
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toBe(`/api/staging/jobs/${job.job_id}`);
    expect(job).toMatchObject({
      status: 'pull_queued',
      image: 'team/app',
      tag: '1',
      source: { kind: 'dockerhub', host: 'registry-1.docker.io' },
      platforms: ['linux/amd64'],
      verdict: 'pending',
      owner: 'ann',
      scan_result: null,
      vuln_result: null,
    });
    const depths = await api.queues.depths();
    expect(depths.find(({ queue }) => queue === 'pull')?.waiting).toBeGreaterThan(0);
  });

  it('keeps the credentials of an ad-hoc host sealed, and shows them nowhere', async () => {
    const body = {
      ...PULL,
      source_registry_host: 'ghcr.io',
      source_registry_username: 'u',
      source_registry_password: 'sesame-1',
    };
    const text = await (await ann.post('/api/staging/pull', body)).text();
    expect(await api.store.jobs.sourceCredentials(JSON.parse(text).job_id)).toEqual({
      username: 'u',
      password: 'sesame-1',
    });
    expect(text + api.log.join() + JSON.stringify(await published(api, 100))).not.toContain(
      'sesame-1',
    );
  });

  it.each<[string, object, [number, string]]>([
    ['needs can_pull_external', PULL, [403, 'PULL_EXTERNAL_FORBIDDEN']],
    [
      'of our own registry needs can_pull on its folder',
      { ...PULL, source_registry_id: '__local__' },
      [403, 'FOLDER_FORBIDDEN'],
    ],
  ])('%s', async (_, body, expected) => {
    expect(await codeOf(bob.post('/api/staging/pull', body))).toEqual(expected);
  });

  it('of a host that resolves to this registry is local, by any name', async () => {
    const port = api.host.split(':')[1];
    for (const host of [
      api.host,
      `localhost:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `2130706433:${port}`,
      api.registry.host,
    ]) {
      const { source } = await json(
        ann.post('/api/staging/pull', { ...PULL, source_registry_host: host }),
      );
      expect([host, source.registry_id]).toEqual([host, '__local__']);
      const outside = { image: 'other/app', tag: '1', source_registry_host: host };
      expect(await codeOf(ann.post('/api/staging/pull', outside))).toEqual([
        403,
        'FOLDER_FORBIDDEN',
      ]);
    }
  });

  it('that relaxes the scan policy needs the privilege; one that tightens it doesn’t', async () => {
    const off = { ...PULL, vuln_scan_enabled_override: false };
    const shorter = { ...PULL, vuln_severities_override: ['CRITICAL'] };
    expect(await codeOf(ann.post('/api/staging/pull', off))).toEqual([403, 'OVERRIDE_FORBIDDEN']);
    expect(await codeOf(ann.post('/api/staging/pull', shorter))).toEqual([
      403,
      'OVERRIDE_FORBIDDEN',
    ]);
    const named = await Promise.all(
      [off, shorter, { ...off, ...shorter }].map(async (body) => {
        const { errors } = await refusal(ann.post('/api/staging/pull', body));
        return errors.map(({ path }: { path: string }) => path);
      }),
    );
    expect(named).toEqual([
      ['vuln_scan_enabled_override'],
      ['vuln_severities_override'],
      ['vuln_scan_enabled_override', 'vuln_severities_override'],
    ]);
    const longer = { ...PULL, vuln_severities_override: 'critical,high,low' };
    expect(await json(ann.post('/api/staging/pull', longer))).toMatchObject({
      overrides: { vuln_severities: ['CRITICAL', 'HIGH', 'LOW'] },
    });
    expect((await admin.post('/api/staging/pull', off)).status).toBe(202);
  });

  it('with an Idempotency-Key is made once', async () => {
    const headers = { 'idempotency-key': 'a-key' };
    const jobs = await Promise.all(
      [1, 2, 3].map(() => json(ann.post('/api/staging/pull', PULL, headers))),
    );
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(1);
    const events = (await published(api, 1_000)).filter(
      ({ resource }) => resource?.id === jobs[0].job_id,
    );
    expect(events.map(({ detail }) => detail.replayed ?? false).sort()).toEqual([
      false,
      true,
      true,
    ]);
    expect(await codeOf(ann.post('/api/staging/pull', { ...PULL, tag: '2' }, headers))).toEqual([
      409,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  it('of an unknown saved registry, or one of another account, is a 404', async () => {
    const bobs = await api.store.registries.insert({
      name: 'bobs',
      host: 'quay.io',
      ownerId: (await json(bob.get('/api/auth/me'))).id,
    });
    expect(
      await codeOf(ann.post('/api/staging/pull', { ...PULL, source_registry_id: bobs.id })),
    ).toEqual([404, 'REGISTRY_UNKNOWN']);
    expect(
      (await admin.post('/api/staging/pull', { ...PULL, source_registry_id: bobs.id })).status,
    ).toBe(202);
  });

  it('lists all its faults at once', async () => {
    const { status, errors } = await refusal(
      ann.post('/api/staging/pull', { image: 'A', colour: 1 }),
    );
    expect(status).toBe(422);
    expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'colour',
      'image',
      'tag',
    ]);
  });
});

describe('jobs', () => {
  it('are the caller’s own; an admin sees all', async () => {
    const job_id = await staged(ann);
    expect((await ann.get(`/api/staging/jobs/${job_id}`)).status).toBe(200);
    expect((await admin.get(`/api/staging/jobs/${job_id}`)).status).toBe(200);
    expect(await codeOf(bob.get(`/api/staging/jobs/${job_id}`))).toEqual([404, 'JOB_UNKNOWN']);
    expect(await codeOf(bob.delete(`/api/staging/jobs/${job_id}`))).toEqual([404, 'JOB_UNKNOWN']);
    expect((await ann.get('/api/staging/jobs/nonsense')).status).toBe(404);
    expect(await json(bob.get('/api/staging/jobs'))).toEqual([]);
  });

  it('have their timeline, but not in lists', async () => {
    const job_id = await staged(ann);
    expect(await json(ann.get(`/api/staging/jobs/${job_id}`))).toHaveProperty('timeline');
    const [listed] = await json(ann.get('/api/staging/jobs?limit=1'));
    expect(listed).toMatchObject({ job_id });
    expect(listed).not.toHaveProperty('timeline');
  });

  it('are paged, newest first, by a link to the next page', async () => {
    await Promise.all([staged(ann), staged(ann), staged(ann)]);
    const first = await ann.get('/api/staging/jobs?status=staged&limit=2');
    const total = Number(first.headers.get('x-total-count'));
    expect(total).toBeGreaterThanOrEqual(3);
    const ids: string[] = [];
    let next: string | undefined = '/api/staging/jobs?status=staged&limit=2';
    while (next) {
      const page = await ann.get(next);
      ids.push(...(await json(page)).map(({ job_id }: { job_id: string }) => job_id));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(new Set(ids).size).toBe(total);
    expect(ids).toHaveLength(total);
  });

  it('can be cancelled, retried and deleted', async () => {
    const { job_id } = await json(ann.post('/api/staging/pull', PULL));
    expect(await json(ann.post(`/api/staging/jobs/${job_id}/cancel`))).toMatchObject({
      status: 'cancelled',
    });
    expect(await codeOf(ann.post(`/api/staging/jobs/${job_id}/cancel`))).toEqual([
      409,
      'JOB_SETTLED',
    ]);
    expect(await json(ann.post(`/api/staging/jobs/${job_id}/retry`))).toMatchObject({
      status: 'pull_queued',
    });
    expect(await codeOf(ann.post(`/api/staging/jobs/${job_id}/retry`))).toEqual([
      409,
      'JOB_NOT_RETRYABLE',
    ]);
    expect((await ann.delete(`/api/staging/jobs/${job_id}`)).status).toBe(204);
    expect((await ann.get(`/api/staging/jobs/${job_id}`)).status).toBe(404);
  });

  it.each(['clean', 'findings', 'blocked', 'unscannable'] as const)(
    'S4c: that are staged as %s are scanned again',
    async (verdict) => {
      const job_id = await staged(ann, verdict);
      await api.store.jobs.update(job_id, (job) => ({ ...job, vulnResult: LOW_RESULT }));
      const response = await ann.post(`/api/staging/jobs/${job_id}/retry`);
      expect([response.status, await json(response)]).toMatchObject([
        202,
        { status: 'scan_queued', verdict },
      ]);
      expect(await codeOf(ann.post(`/api/staging/jobs/${job_id}/retry`))).toEqual([
        409,
        'JOB_NOT_RETRYABLE',
      ]);
    },
  );

  it('that were scanned have a report to download', async () => {
    const job_id = await staged(ann, 'findings');
    await api.store.jobs.update(job_id, (job) => ({ ...job, vulnResult: CLEAN_RESULT }));
    const digest = `sha256:${'a'.repeat(64)}`;
    const list = JSON.stringify([{ digest, platform: null, file: 'a.json' }]);
    await api.store.jobReports.replace(job_id, [
      { name: 'a.json', content: Readable.from([Buffer.from('{"SchemaVersion":2}')]) },
      { name: 'reports.json', content: Readable.from([Buffer.from(list)]) },
    ]);
    const response = await ann.get(`/api/staging/jobs/${job_id}/report`);
    expect(await json(response)).toMatchObject({
      SchemaVersion: 2,
      ArtifactName: `docker.io/team/app:1@${digest}`,
    });
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="team-app-1.json"',
    );
    expect(await codeOf(bob.get(`/api/staging/jobs/${job_id}/report`))).toEqual([
      404,
      'JOB_UNKNOWN',
    ]);
    expect((await ann.get(`/api/staging/jobs/${job_id}/report?format=sarif`)).status).toBe(503);
    expect(await json(ann.get(`/api/staging/jobs/${job_id}`))).toMatchObject({
      scan_result: [],
      vuln_result: { total: 0, vulnerabilities: [] },
    });
    const [listed] = await json(ann.get('/api/staging/jobs?limit=1'));
    expect(listed.vuln_result).not.toHaveProperty('vulnerabilities');
  });

  it('without a scan have no report', async () => {
    const job_id = await staged(ann, 'skipped');
    expect(await codeOf(ann.get(`/api/staging/jobs/${job_id}/report`))).toEqual([
      404,
      'REPORT_UNKNOWN',
    ]);
  });
});

describe('a push', () => {
  it('goes to the path that was checked', async () => {
    const job_id = await staged(ann);
    const fields = { job_id, target_image: 'app', target_tag: 'v1', folder: 'team' };
    const preview = await json(ann.get(`/api/staging/push/preview?${new URLSearchParams(fields)}`));
    expect(preview).toMatchObject({
      local: true,
      folder: 'team',
      repository: 'team/app',
      tag: 'v1',
      allowed: true,
      code: null,
    });
    const response = await ann.post('/api/staging/push', fields);
    const job = await json(response);
    expect(response.status).toBe(202);
    expect(job).toMatchObject({
      status: 'push_queued',
      pushes: [
        {
          status: 'queued',
          destination: preview.destination,
          target_image: 'team/app',
          target_tag: 'v1',
          requested_by: 'ann',
        },
      ],
    });
  });

  it.each<[string, Parameters<typeof stagedAs>[0], object, [number, string]]>([
    ['of a blocked image is refused', 'blocked', { folder: 'team' }, [403, 'VULN_BLOCKED']],
    [
      'of an image whose scan failed is refused',
      'error',
      { folder: 'team' },
      [403, 'SCAN_REQUIRED'],
    ],
    [
      'of an image that was not scanned is refused',
      'skipped',
      { folder: 'team' },
      [403, 'SCAN_REQUIRED'],
    ],
    ['without can_push is refused', 'clean', { folder: 'other' }, [403, 'FOLDER_FORBIDDEN']],
    ['to the root without can_push is refused', 'clean', {}, [403, 'FOLDER_FORBIDDEN']],
    [
      'outside without can_push_external is refused',
      'clean',
      { external_registry_host: 'ghcr.io' },
      [403, 'PUSH_EXTERNAL_FORBIDDEN'],
    ],
    ['to an unknown folder is refused', 'clean', { folder: 'ghost' }, [403, 'FOLDER_FORBIDDEN']],
  ])('%s', async (_, verdict, more, expected) => {
    const fields = {
      job_id: await staged(ann, verdict),
      target_image: 'app',
      target_tag: 'v1',
      ...more,
    };
    expect(await codeOf(ann.post('/api/staging/push', fields))).toEqual(expected);
    if (expected[0] !== 403) return;
    const preview = await json(ann.get(`/api/staging/push/preview?${new URLSearchParams(fields)}`));
    expect(preview).toMatchObject({ allowed: false, code: expected[1] });
  });

  it.each([
    ['blocked', 'VULN_BLOCKED'],
    ['clean', null],
  ] as const)('of an administrator with the verdict %s bypasses %s', async (verdict, bypassed) => {
    const job_id = await staged(admin, verdict);
    const fields = { job_id, target_image: 'app', target_tag: 'v1', folder: 'team' };
    const query = new URLSearchParams(fields);
    expect(await json(admin.get(`/api/staging/push/preview?${query}`))).toMatchObject({
      allowed: true,
      code: null,
      bypassed,
    });
  });

  it('S4b: is judged under the present policy, which the job shows even if the push is refused', async () => {
    const job_id = await staged(ann, 'findings');
    await api.store.jobs.update(job_id, (job) => ({ ...job, vulnResult: LOW_RESULT }));
    const fields = { job_id, target_image: 'app', target_tag: 'v1', folder: 'team' };
    const preview = () => json(ann.get(`/api/staging/push/preview?${new URLSearchParams(fields)}`));
    expect(await preview()).toMatchObject({ allowed: true });
    await admin.put('/api/trivy/override', { severities: ['LOW'] });
    onTestFinished(async () => void (await admin.delete('/api/trivy/override')));
    expect(await preview()).toMatchObject({ allowed: false, code: 'VULN_BLOCKED' });
    expect(await codeOf(ann.post('/api/staging/push', fields))).toEqual([403, 'VULN_BLOCKED']);
    const job = await json(ann.get(`/api/staging/jobs/${job_id}`));
    expect(job).toMatchObject({
      status: 'staged',
      verdict: 'blocked',
      vuln_result: { blocked: true, severities: ['LOW'], blocking: { LOW: 1 } },
      pushes: [],
    });
    expect(job.timeline.at(-1)).toMatchObject({
      status: 'staged',
      kind: 'policy_changed',
      note: 'the verdict follows a policy that changed since the scan',
    });

    await admin.put('/api/trivy/override', { severities: ['CRITICAL'] });
    expect(await json(ann.post('/api/staging/push', fields))).toMatchObject({
      status: 'push_queued',
      verdict: 'findings',
      vuln_result: { blocked: false, severities: ['CRITICAL'] },
    });
  });

  it('S14: is refused if the verdict’s database is older than the policy allows', async () => {
    const job_id = await staged(ann, 'clean');
    const dbUpdatedAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const scanner = { name: 'trivy', version: '1', dbUpdatedAt };
    await api.store.jobs.update(job_id, (job) => ({
      ...job,
      vulnResult: { ...CLEAN_RESULT, scanner },
    }));
    const fields = { job_id, target_image: 'app', target_tag: 'v1', folder: 'team' };
    await admin.put('/api/trivy/override', { max_database_age_days: 2 });
    onTestFinished(async () => void (await admin.delete('/api/trivy/override')));
    expect(await codeOf(ann.post('/api/staging/push', fields))).toEqual([403, 'DATABASE_TOO_OLD']);
    await admin.put('/api/trivy/override', { max_database_age_days: null });
    expect((await ann.post('/api/staging/push', fields)).status).toBe(202);
  });

  it.each([0, 4_000, 1.5, '2'])('no policy has the age %j', async (max_database_age_days) => {
    expect((await admin.put('/api/trivy/override', { max_database_age_days })).status).toBe(422);
  });

  it('to an external host that resolves to this registry is local', async () => {
    const job_id = await staged(ann);
    const fields = {
      job_id,
      target_image: 'other/app',
      target_tag: 'v1',
      external_registry_host: api.host,
    };
    expect(await codeOf(ann.post('/api/staging/push', fields))).toEqual([403, 'FOLDER_FORBIDDEN']);
    const mine = { ...fields, target_image: 'team/app' };
    expect(
      await json(ann.get(`/api/staging/push/preview?${new URLSearchParams(mine)}`)),
    ).toMatchObject({
      local: true,
      allowed: true,
    });
  });

  it('to an ad-hoc host stores the host’s password sealed', async () => {
    const job_id = await staged(admin);
    const body = {
      job_id,
      target_image: 'team/app',
      target_tag: 'v1',
      external_registry_host: 'ghcr.io',
      external_registry_username: 'acme',
      external_registry_password: 'sesame-2',
    };
    const response = await admin.post('/api/staging/push', body);
    const text = await response.text();
    const [push] = JSON.parse(text).pushes;
    expect(push).toMatchObject({ destination: 'ghcr.io/acme/app:v1' });
    expect(await api.store.jobs.pushCredentials(job_id, push.id)).toEqual({
      username: 'acme',
      password: 'sesame-2',
    });
    expect(text + api.log.join()).not.toContain('sesame-2');
  });

  it('of a blocked image is accepted for an administrator', async () => {
    const job_id = await staged(ann, 'blocked');
    const fields = { job_id, target_image: 'team/app', target_tag: 'v1' };
    expect((await admin.post('/api/staging/push', fields)).status).toBe(202);
  });

  it('of a job that isn’t ready is a conflict, and of another account’s job a 404', async () => {
    const { job_id } = await json(ann.post('/api/staging/pull', PULL));
    const fields = { job_id, target_image: 'team/app', target_tag: 'v1' };
    expect(await codeOf(ann.post('/api/staging/push', fields))).toEqual([409, 'JOB_NOT_READY']);
    expect(await codeOf(bob.post('/api/staging/push', fields))).toEqual([404, 'JOB_UNKNOWN']);
  });

  it('twice at once is one push', async () => {
    const job_id = await staged(ann);
    const fields = { job_id, target_image: 'team/app', target_tag: 'v1' };
    const statuses = await Promise.all(
      [1, 2].map(async () => (await ann.post('/api/staging/push', fields)).status),
    );
    expect(statuses.sort()).toEqual([202, 409]);
  });
});

describe('the event stream', () => {
  it('sends events of the caller’s jobs only, and resumes', async () => {
    const stop = new AbortController();
    const events = readEvents(await fetchEvents(ann, stop.signal));
    await expect.poll(readers).toContain('cmd=xread');
    await json(admin.post('/api/staging/pull', PULL));
    const { job_id } = await json(ann.post('/api/staging/pull', PULL));
    const first = (await events.next()).value;
    expect(first).toMatchObject({
      event: 'job',
      data: { job_id, status: 'pull_queued', image: 'team/app' },
    });
    stop.abort();

    await ann.delete(`/api/staging/jobs/${job_id}`);
    const again = new AbortController();
    const resumed = readEvents(await fetchEvents(ann, again.signal, first?.id));
    expect((await resumed.next()).value).toMatchObject({
      event: 'job',
      data: { job_id, deleted: true },
    });
    again.abort();
  });

  /** The headers of the response arrive before the stream is read. */
  const readers = async () => String(await api.redis.client('LIST'));

  function fetchEvents(client: Client, signal: AbortSignal, last?: string) {
    const headers = {
      authorization: `Bearer ${client.token}`,
      ...(last && { 'last-event-id': last }),
    };
    return fetch(`${api.url}/api/staging/events`, { headers, signal });
  }
});

async function* readEvents(
  response: Response,
): AsyncGenerator<{ id: string; event: string; data: object }> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id = '', event = '', data } of events ?? []) {
    const schema: z.ZodType = Reflect.get(JOB_EVENTS, event);
    schema.parse(JSON.parse(data));
    yield { id, event, data: JSON.parse(data) };
  }
}

describe('Docker Hub', () => {
  it('needs can_pull_external', async () => {
    expect(await codeOf(bob.get('/api/staging/search/dockerhub?q=nginx'))).toEqual([
      403,
      'PULL_EXTERNAL_FORBIDDEN',
    ]);
  });
});
