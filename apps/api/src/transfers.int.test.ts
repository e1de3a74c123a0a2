/** Transfers over REST: what is refused, what is written, what a plan contains. */
import {
  json,
  openSql,
  pushImage,
  randomImage,
  refusal,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from './api.fixture.ts';

let api: TestApi;
let outside: TestRegistry;
let ada: Client;
let bob: Client;
let root: Client;
let ids: Record<'ada' | 'bob', string>;
let saved: string;

beforeAll(async () => {
  [api, outside] = await Promise.all([startApi(), startRegistry()]);
  ids = { ada: await api.account('ada'), bob: await api.account('bob') };
  await api.account('root', { isAdmin: true });
  await api.grant(ids.ada, 'team', { canPull: true, canPush: true, canPullExternal: true });
  [ada, bob, root] = [await api.as('ada'), await api.as('bob'), await api.as('root')];
  const { id } = await api.store.registries.insert({
    name: 'outside',
    host: outside.host,
    useTls: false,
  });
  saved = id;
});
afterAll(async () => {
  await api?.stop();
  await outside?.stop();
});

const body = (more: Record<string, unknown> = {}) => ({
  images: [{ repository: 'lib/app', tag: '1' }],
  source_registry_id: saved,
  dest_folder: 'team',
  ...more,
});

async function submitted(client: Client, more: Record<string, unknown> = {}) {
  const response = await client.post('/api/transfer', body(more));
  expect(response.status).toBe(202);
  return response.json();
}

/** The number of transactions that inserted the jobs of a transfer. */
async function transactionsOf(transferId: string): Promise<number> {
  const text =
    'SELECT count(DISTINCT xmin::text)::int AS number FROM staging_jobs WHERE transfer_id = $1';
  const { rows } = await withSql((sql) => sql.query(text, [transferId]));
  return rows[0].number;
}

async function withSql<T>(work: (sql: Awaited<ReturnType<typeof openSql>>) => Promise<T>) {
  const sql = await openSql(api.surroundings.env.DATABASE_URL ?? '');
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

describe('POST /transfer', () => {
  it('writes all jobs, each with the path that was checked', async () => {
    const images = [
      { repository: 'lib/app', tag: '1' },
      { repository: 'lib/app' },
      { repository: 'lib/app', tag: '2', dest_name: 'renamed' },
      { repository: 'lib/many', tags: { match: { glob: '*' } } },
    ];
    const { transfer_id: id, job_ids: jobIds, count } = await submitted(ada, { images });
    expect(count).toBe(3);
    const response = await ada.get(`/api/transfer/jobs/${id}`);
    const shown = await json(response);
    expect(shown).toMatchObject({
      status: 'running',
      counts: { pull_queued: 3 },
      selections: [{ index: 3, state: 'queued', repository: 'lib/many' }],
      owner: 'ada',
    });
    const destinations = shown.jobs.map(
      (job: { pushes: { destination: string }[] }) => job.pushes[0]?.destination,
    );
    const host = api.host.replace('127.0.0.1', 'localhost');
    expect(destinations.sort()).toEqual([
      `${host}/team/lib/app:1`,
      `${host}/team/lib/app:latest`,
      `${host}/team/renamed:2`,
    ]);
    expect(shown.jobs.map((job: { job_id: string }) => job.job_id).sort()).toEqual(
      [...jobIds].sort(),
    );
  });

  it('the account’s namespace replaces the first segment in another registry, and that path is written', async () => {
    const { id } = await api.store.registries.insert({
      name: 'hub',
      host: outside.host,
      username: 'acme',
      useTls: false,
    });
    const made = await root.post(
      '/api/transfer',
      body({ dest_registry_id: id, dest_folder: null }),
    );
    const { job_ids: jobIds } = await json(made);
    expect((await api.store.jobs.get(jobIds[0])).pushes[0]).toMatchObject({
      repository: 'acme/app',
      registryId: id,
    });
  });

  it('lists every fault at once, by image, and writes nothing', async () => {
    const before = (await json(ada.get('/api/transfer/jobs'))).length;
    const response = await ada.post(
      '/api/transfer',
      body({
        dest_tag: 'stable',
        images: [
          { repository: 'lib/app', tag: '1' },
          { repository: 'lib/app', tag: '2' },
          { repository: 'lib/many', tags: { match: { regex: '(' }, newest: 1 } },
          { repository: 'lib/many', tags: { match: { glob: '1.*' } } },
        ],
      }),
    );
    expect(response.status).toBe(422);
    const { errors } = await response.json();
    expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'images.1',
      'images.2.tags.match',
      'images.3.tags',
    ]);
    expect((await json(ada.get('/api/transfer/jobs'))).length).toBe(before);
  });

  it.each([
    [
      'a digest without a name for it',
      { images: [{ repository: 'a/b', tag: `sha256:${'a'.repeat(64)}` }] },
      'images.0.tag',
    ],
    [
      'a tag and a pattern',
      { images: [{ repository: 'a/b', tag: '1', tags: { match: { glob: '*' } } }] },
      'images.0.tags',
    ],
    [
      'a path that the folder makes too long',
      { images: [{ repository: `a/${'b'.repeat(252)}` }] },
      'images.0.repository',
    ],
    ['no image', { images: [] }, 'images'],
    ['a field that is none', { credentials: 'x' }, 'credentials'],
  ])('refused: %s', async (_, more, path) => {
    const response = await ada.post('/api/transfer', body(more));
    expect(response.status).toBe(422);
    const { errors } = await response.json();
    expect(errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  it('refuses a folder that is not there as one without rights', async () => {
    const images = [{ repository: 'a' }, { repository: 'b' }];
    const response = await ada.post('/api/transfer', body({ dest_folder: 'nowhere', images }));
    expect(await codeOf(response)).toEqual([403, 'FOLDER_FORBIDDEN']);
  });

  it.each(['/api/transfer', '/api/transfer/plan', '/api/transfer/schedules'])(
    'refuses a pattern by what it costs, and does not look at those of images without a right: %s',
    async (path) => {
      const costly = { match: { regex: `(?i)(?:${'\\w?'.repeat(75)}){1000}!` } };
      const images = [{ repository: 'lib/many', tags: costly }];
      const times = path.endsWith('schedules') ? { name: 'costly', cron: '0 0 * * *' } : {};
      const codes = async (client: Client) => {
        const response = await client.post(path, { ...body({ images }), ...times });
        const answer = await response.json();
        const faults = response.ok ? answer.items : answer.errors;
        return faults.map(({ code }: { code: string }) => code);
      };
      expect(await codes(ada)).toEqual(['PATTERN_TOO_COSTLY']);
      expect(await codes(bob)).not.toContain('PATTERN_TOO_COSTLY');
    },
  );

  it('bounds what the patterns of one request cost together', async () => {
    const images = Array.from({ length: 100 }, (_, n) => ({
      repository: 'lib/many',
      tags: { match: { regex: `(?:ab?c){100}${n}` } },
    }));
    const response = await ada.post('/api/transfer', body({ images }));
    expect(response.status).toBe(422);
    const { errors } = await response.json();
    const codes = new Set(errors.map(({ code }: { code: string }) => code));
    expect([...codes]).toEqual(['PATTERN_TOO_COSTLY']);
    expect(errors.length).toBeLessThan(images.length);
  });

  it('names each image whose destination the caller may not write', async () => {
    await api.store.folders.insertFolder({ name: 'secret' });
    const images = [
      { repository: 'team/app', tag: '1' },
      { repository: 'secret/app', tag: '1' },
    ];
    const response = await ada.post('/api/transfer', body({ images, dest_folder: null }));
    expect(response.status).toBe(403);
    const { code, errors } = await response.json();
    expect(code).toBe('FOLDER_FORBIDDEN');
    expect(errors.map(({ path }: { path: string }) => path)).toEqual(['images.1']);
  });

  it.each([
    ['pulling from outside needs its right', {}, 'PULL_EXTERNAL_FORBIDDEN', () => bob],
    [
      'pushing outside needs its right',
      { dest_registry_id: 'saved', dest_folder: null, dest_tag: 'other' },
      'PUSH_EXTERNAL_FORBIDDEN',
      () => ada,
    ],
    [
      'a scan is left out only by whoever may',
      { vuln_scan_enabled_override: false },
      'OVERRIDE_FORBIDDEN',
      () => ada,
    ],
    [
      'a source under a folder needs its pull',
      { source_registry_id: '__local__', images: [{ repository: 'secret/app' }] },
      'FOLDER_FORBIDDEN',
      () => ada,
    ],
  ])('%s', async (_, more, code, client) => {
    const elsewhere = 'dest_registry_id' in more && { dest_registry_id: saved };
    const response = await client().post('/api/transfer', body({ ...more, ...elsewhere }));
    expect(response.status).toBe(403);
    const problem = await response.json();
    expect(problem.code).toBe(code);
    expect(problem.errors.length).toBeGreaterThan(0);
  });

  it.each([
    [{ vuln_scan_enabled_override: false }, ['vuln_scan_enabled_override']],
    [{ vuln_severities_override: [] }, ['vuln_severities_override']],
    [
      { vuln_scan_enabled_override: false, vuln_severities_override: [] },
      ['vuln_scan_enabled_override', 'vuln_severities_override'],
    ],
  ])('S11: a refused override is named by its own field: %o', async (overrides, paths) => {
    const { code, errors } = await refusal(ada.post('/api/transfer', body(overrides)));
    expect([code, errors.map(({ path }: { path: string }) => path)]).toEqual([
      'OVERRIDE_FORBIDDEN',
      paths,
    ]);
  });

  it('a registry of another account does not exist', async () => {
    const { id } = await api.store.registries.insert({
      name: 'own',
      host: outside.host,
      ownerId: ids.bob,
    });
    expect((await ada.post('/api/transfer', body({ source_registry_id: id }))).status).toBe(404);
  });

  it('an image is not written to its source', async () => {
    const images = [{ repository: 'team/app', tag: '1' }];
    const response = await ada.post(
      '/api/transfer',
      body({ images, source_registry_id: '__local__' }),
    );
    expect(response.status).toBe(422);
  });

  it('the same key gives the same transfer, and with another body a conflict', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await json(ada.post('/api/transfer', body(), key));
    const again = await json(ada.post('/api/transfer', body(), key));
    expect(again).toEqual(first);
    expect((await ada.post('/api/transfer', body({ dest_tag: '9' }), key)).status).toBe(409);
  });

  it('a thousand images are accepted in few transactions, all or none', async () => {
    const images = Array.from({ length: 1000 }, (_, n) => ({
      repository: `lib/app-${n}`,
      tag: '1',
    }));
    const { transfer_id: id, count } = await submitted(ada, { images });
    const transactions = await transactionsOf(id);
    expect(transactions).toBeGreaterThan(0);
    expect(transactions).toBeLessThan(100);
    expect(count).toBe(1000);
    const response = await ada.get(`/api/transfer/jobs/${id}?limit=200`);
    expect(response.headers.get('x-total-count')).toBe('1000');
    expect(response.headers.get('link')).toContain('rel="next"');
    expect((await json(response)).jobs).toHaveLength(200);
    expect((await ada.post(`/api/transfer/jobs/${id}/cancel`)).status).toBe(202);
    expect((await json(ada.get(`/api/transfer/jobs/${id}`))).status).toBe('cancelled');
    expect((await ada.post('/api/transfer', body({ images: [...images, images[0]] }))).status).toBe(
      422,
    );
  });
});

describe('a transfer', () => {
  it('is visible to its owner and administrators', async () => {
    const { transfer_id: id } = await submitted(ada);
    for (const [client, status] of [
      [ada, 200],
      [root, 200],
      [bob, 404],
    ] as const)
      expect((await client.get(`/api/transfer/jobs/${id}`)).status).toBe(status);
    expect(await json(bob.get('/api/transfer/jobs'))).toEqual([]);
  });

  it('is found by the conditions of the list, among those that the caller may see', async () => {
    const { transfer_id: id } = await submitted(ada);
    const found = async (client: Client, query: string) =>
      (await json(client.get(`/api/transfer/jobs?${query}`))).some(
        (each: { transfer_id: string }) => each.transfer_id === id,
      );
    for (const [query, expected] of [
      ['owner=ADA&status=running,done&q=lib/app&sort=owner', true],
      ['owner=bob', false],
      ['status=done', false],
      ['blocked=true', false],
      ['until=2026-01-01T00:00:00Z', false],
    ] as const)
      expect(await found(root, query), query).toBe(expected);
    expect(await found(bob, 'owner=ada')).toBe(false);
    expect((await root.get('/api/transfer/jobs?sort=size')).status).toBe(422);
  });

  it('is cancelled once, retried where something failed, and deleted with its jobs', async () => {
    const { transfer_id: id, job_ids: jobIds } = await submitted(ada);
    const post = (act: string) => ada.post(`/api/transfer/jobs/${id}/${act}`);
    expect(await codeOf(post('retry'))).toEqual([409, 'TRANSFER_NOT_RETRYABLE']);
    expect((await post('cancel')).status).toBe(202);
    expect(await codeOf(post('cancel'))).toEqual([409, 'TRANSFER_SETTLED']);
    await api.store.jobs.update(jobIds[0], (job) => ({ ...job, status: 'failed' }));
    expect(await json(post('retry'))).toMatchObject({
      status: 'running',
      counts: { pull_queued: 1 },
    });
    expect((await ada.delete(`/api/transfer/jobs/${id}`)).status).toBe(204);
    expect((await ada.get(`/api/transfer/jobs/${id}`)).status).toBe(404);
    expect((await ada.get(`/api/staging/jobs/${jobIds[0]}`)).status).toBe(404);
  });
});

describe('a retry of a transfer', () => {
  it.each([
    ['failed', 'failed', 'pull_queued'],
    ['blocked', 'pull_queued', 'failed'],
    ['all', 'pull_queued', 'pull_queued'],
  ])('of the jobs that are %s: the blocked one is %s, the failed one %s', async (only, ...ends) => {
    const images = ['1', '2'].map((tag) => ({ repository: 'lib/app', tag }));
    const { transfer_id: id, job_ids: jobIds } = await submitted(ada, { images });
    expect((await ada.post(`/api/transfer/jobs/${id}/cancel`)).status).toBe(202);
    for (const [n, code] of ['VULN_BLOCKED', 'MANIFEST_UNKNOWN'].entries()) {
      const error = { code, message: '', side: null, retryable: false };
      await api.store.jobs.update(jobIds[n], (job) => ({ ...job, status: 'failed', error }));
    }
    const before = await json(ada.get(`/api/transfer/jobs/${id}`));
    expect(before).toMatchObject({
      status: 'failed',
      blocked: 1,
      outcomes: { pushed: 0, blocked: 1, failed: 1, cancelled: 0, open: 0 },
    });
    expect((await ada.post(`/api/transfer/jobs/${id}/retry?only=${only}`)).status).toBe(202);
    const jobs = await Promise.all(jobIds.map((job: string) => api.store.jobs.get(job)));
    expect(jobs.map(({ status }) => status)).toEqual(ends);
  });
});

describe('the images of a transfer', () => {
  const DIGEST = `sha256:${'c'.repeat(64)}`;

  async function ended(count: number) {
    const images = Array.from({ length: count }, (_, n) => ({
      repository: 'lib/app',
      tag: `${n}`,
    }));
    const made = await submitted(ada, { images });
    expect((await ada.post(`/api/transfer/jobs/${made.transfer_id}/cancel`)).status).toBe(202);
    return { id: made.transfer_id as string, jobIds: made.job_ids as string[] };
  }
  const shown = async (id: string) => json(ada.get(`/api/transfer/jobs/${id}?limit=1`));

  it('are listed with the digests pushed, and the reasons of those that are blocked or failed', async () => {
    const { id, jobIds } = await ended(4);
    const [pushed = '', blocked = '', failed = ''] = jobIds;
    const jobs = await Promise.all([pushed, blocked, failed].map((job) => api.store.jobs.get(job)));
    await api.store.jobs.update(pushed, (job) => ({
      ...job,
      status: 'pushed',
      digest: DIGEST,
      pushes: job.pushes.map((push) => ({ ...push, status: 'done', digest: DIGEST })),
    }));
    for (const [job, code] of [
      [blocked, 'VULN_BLOCKED'],
      [failed, 'MANIFEST_UNKNOWN'],
    ] as const) {
      const error = { code, message: `because of ${code}`, side: null, retryable: false };
      await api.store.jobs.update(job, (row) => ({ ...row, status: 'failed', error }));
    }
    const { images, outcomes } = await shown(id);
    expect(outcomes).toEqual({ pushed: 1, blocked: 1, failed: 1, cancelled: 1, open: 0 });
    const host = api.host.replace('127.0.0.1', 'localhost');
    const [from, to] = [`${outside.host}/lib/app:`, `${host}/team/lib/app:`];
    const [first, second, third] = jobs.map(({ tag }) => tag);
    expect(images).toEqual({
      pushed: [
        {
          job_id: pushed,
          image: `${from}${first}@${DIGEST}`,
          destination: `${to}${first}`,
          digest: DIGEST,
        },
      ],
      blocked: [
        {
          job_id: blocked,
          image: `${from}${second}`,
          destination: `${to}${second}`,
          code: 'VULN_BLOCKED',
          reason: 'because of VULN_BLOCKED',
        },
      ],
      failed: [
        {
          job_id: failed,
          image: `${from}${third}`,
          destination: `${to}${third}`,
          code: 'MANIFEST_UNKNOWN',
          reason: 'because of MANIFEST_UNKNOWN',
        },
      ],
      more: false,
    });
  });

  it('say when there are more than an answer holds', async () => {
    const { id, jobIds } = await ended(201);
    await api.store.transfers.updateJobs(id, ['cancelled'], (job) => ({
      ...job,
      status: 'pushed',
    }));
    const { images } = await shown(id);
    expect([images.pushed.length, images.more]).toEqual([200, true]);
    await api.store.jobs.remove(jobIds[0] ?? '');
    expect((await shown(id)).images.more).toBe(false);
  });
});

describe('POST /transfer/plan', () => {
  it('shows what exists, what would be copied, its size, and what would be refused', async () => {
    const [there, fresh] = [
      await randomImage({ bytes: 9_000 }),
      await randomImage({ layers: 2, bytes: 7_000 }),
    ];
    for (const [name, image] of [
      ['plan/there', there],
      ['plan/new', fresh],
      ['plan/twin', fresh],
    ] as const)
      await pushImage(outside.url, name, '1', image);
    await pushImage(api.registry.url, 'team/plan/there', '1', there);
    const images = ['plan/there', 'plan/new', 'plan/twin', 'plan/none'].map((repository) => ({
      repository,
      tag: '1',
    }));
    const response = await ada.post('/api/transfer/plan', body({ images }));
    expect(response.status).toBe(200);
    const { items, totals } = await response.json();
    expect(items.map(({ state }: { state: string }) => state)).toEqual([
      'present',
      'copy',
      'copy',
      'failed',
    ]);
    const size = [...fresh.blobs, fresh].reduce((sum, { descriptor }) => sum + descriptor.size, 0);
    expect(items[1]).toMatchObject({
      digest: fresh.digest,
      bytes_total: size,
      bytes_to_move: size,
    });
    expect(items[0]).toMatchObject({ bytes_to_move: 0 });
    expect(totals).toMatchObject({
      images: 4,
      copy: 2,
      present: 1,
      failed: 1,
      bytes_to_move: size,
    });
  });

  it('an image with a denied destination is refused, and no registry is queried for it', async () => {
    const response = await ada.post('/api/transfer/plan', body({ dest_folder: 'secret' }));
    const { items } = await json(response);
    expect(items).toMatchObject([{ state: 'refused', code: 'FOLDER_FORBIDDEN' }]);
  });

  it('an image whose immutable tag leads elsewhere would be blocked, in the words of the push', async () => {
    const [moved, same] = [await randomImage(), await randomImage()];
    await pushImage(api.registry.url, 'team/plan/moved', '1', await randomImage());
    await pushImage(api.registry.url, 'team/plan/same', '1', same);
    await pushImage(outside.url, 'plan/moved', '1', moved);
    await pushImage(outside.url, 'plan/same', '1', same);
    const settle = async (immutable_tags: string[]) =>
      expect((await root.patch('/api/folders/team', { immutable_tags })).status).toBe(200);
    const images = ['moved', 'same'].map((name) => ({ repository: `plan/${name}`, tag: '1' }));
    const plan = async () => json(ada.post('/api/transfer/plan', body({ images })));
    await settle(['1*']);
    const { items, totals } = await plan();
    expect(items).toMatchObject([
      {
        ...{ state: 'copy', code: 'TAG_IMMUTABLE', decision: null, bytes_to_move: null },
        digest: moved.digest,
        reason:
          'the tag 1 of team/plan/moved is immutable in the folder team ("1*"): it exists, so it can be neither moved nor deleted',
      },
      { state: 'present', code: null },
    ]);
    expect(totals).toMatchObject({ copy: 1, present: 1, blocked: 1, refused: 0, bytes_to_move: 0 });
    await settle([]);
    expect((await plan()).totals.blocked).toBe(0);
  });

  it('patterns are resolved tag by tag', async () => {
    for (const tag of ['1.0.0', '1.1.0', 'edge'])
      await pushImage(outside.url, 'plan/many', tag, await randomImage());
    const images = [{ repository: 'plan/many', tags: { match: { semver: '*' }, newest: 1 } }];
    const { items } = await json(ada.post('/api/transfer/plan', body({ images })));
    expect(items).toMatchObject([{ tag: '1.1.0', state: 'copy', index: 0 }]);
  });

  it('the newest tags are those that are old enough for the policy of the destination', async () => {
    const tags = { '1.29.0': true, '1.30.0': true, '1.30.1': false };
    for (const [tag, isOld] of Object.entries(tags)) {
      const made = await randomImage();
      await pushImage(outside.url, 'plan/young', tag, made);
      const insert = `INSERT INTO sightings (repository, tag, digest, first)
                      VALUES ('seen/app', $1, $2, now() - interval '2 days')`;
      if (isOld) await withSql((sql) => sql.query(insert, [tag, made.digest]));
    }
    const rules = { name: 'aged', rules: [], min_age_hours: 24 };
    const { id: policy_id } = await json(root.post('/api/policies', rules));
    await root.patch('/api/folders/team', { policy_id });
    const images = [{ repository: 'plan/young', tags: { match: { glob: '1.*' }, newest: 1 } }];
    const { items, totals } = await json(ada.post('/api/transfer/plan', body({ images })));
    expect(items).toMatchObject([
      {
        ...{ tag: '1.30.1', state: 'skipped', code: 'TOO_YOUNG' },
        until: expect.stringMatching(/^20\d\d-/),
        reason: expect.stringMatching(
          /^1\.30\.1 is too young until \S+ \S+ UTC; 1\.30\.0 is taken\.$/,
        ),
      },
      { tag: '1.30.0', state: 'copy' },
    ]);
    expect(totals).toMatchObject({ images: 1, copy: 1, skipped: 1 });
    await root.patch('/api/folders/team', { policy_id: null });
  });
});

it('an account has as many jobs open as the setting says, an administrator any number', async () => {
  const narrow = await startApi({ MAX_OPEN_JOBS_PER_ACCOUNT: '3' }, api);
  try {
    const id = await api.account('busy');
    await api.grant(id, 'team', { canPush: true, canPullExternal: true });
    const [busy, admin] = [await narrow.as('busy'), await narrow.as('root')];
    const images = ['1', '2', '3'].map((tag) => ({ repository: 'lib/busy', tag }));
    expect((await busy.post('/api/transfer', body({ images }))).status).toBe(202);
    for (const refused of [
      await busy.post('/api/transfer', body()),
      await busy.post('/api/staging/pull', { image: 'library/a', tag: '1' }),
    ])
      expect([refused.status, (await refused.json()).code]).toEqual([409, 'JOBS_MANY']);
    const four = [...images, { repository: 'lib/busy', tag: '4' }];
    expect((await admin.post('/api/transfer', body({ images: four }))).status).toBe(202);
  } finally {
    await narrow.stop();
  }
});

describe('schedules', () => {
  const nightly = (more: Record<string, unknown> = {}) =>
    body({ name: 'nightly', cron: '0 3 * * *', timezone: 'Europe/Berlin', ...more });

  it.each([
    ['0 3 * * *', 'Europe/Berlin', 200, 5],
    ['0 3 * *', 'UTC', 422, undefined],
    ['0 3 * * *', 'Middle/Earth', 422, undefined],
  ])(
    'tell when %s in %s would run, before they are saved: %i',
    async (cron, timezone, status, runs) => {
      const query = new URLSearchParams({ cron, timezone });
      const answer = await ada.get(`/api/transfer/schedules/preview?${query}`);
      expect(answer.status).toBe(status);
      expect((await answer.json()).next_runs?.length).toBe(runs);
    },
  );

  it('are created, shown with their next run, changed and deleted', async () => {
    const made = await ada.post('/api/transfer/schedules', nightly());
    expect(made.status).toBe(201);
    const { id, next_run: next, last_run: last, recent_runs: runs } = await made.json();
    expect(runs).toEqual([]);
    expect(new Date(next).getTime()).toBeGreaterThan(Date.now());
    expect(last).toBeNull();
    const off = await ada.patch(`/api/transfer/schedules/${id}`, { enabled: false });
    expect(await json(off)).toMatchObject({
      enabled: false,
      next_run: null,
      name: 'nightly',
      cron: '0 3 * * *',
    });
    const moved = await ada.patch(`/api/transfer/schedules/${id}`, {
      dest_tag: 'stable',
      include_referrers: false,
    });
    expect(await json(moved)).toMatchObject({
      dest_tag: 'stable',
      include_referrers: false,
      images: [{ repository: 'lib/app' }],
    });
    expect((await api.store.schedules.find(id))?.order).toMatchObject({
      withReferrers: false,
      entries: [{ targetTag: 'stable' }],
    });
    const cleared = await json(ada.patch(`/api/transfer/schedules/${id}`, { dest_tag: null }));
    expect(cleared.dest_tag).toBeUndefined();
    const ofAnother = bob.get(`/api/transfer/schedules/${id}`);
    expect(await codeOf(ofAnother)).toEqual([404, 'SCHEDULE_UNKNOWN']);
    expect((await ada.delete(`/api/transfer/schedules/${id}`)).status).toBe(204);
    expect(await json(ada.get('/api/transfer/schedules'))).toEqual([]);
  });

  it.each([
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone', 'TIMEZONE_INVALID'],
    ['an invalid expression', { cron: 'often' }, 'cron', 'CRON_FIELDS'],
    ['more often than once a minute', { cron: '* * * * * *' }, 'cron', 'CRON_TOO_OFTEN'],
    [
      'a pattern that is none',
      { images: [{ repository: 'a', tags: { match: { semver: 'x y' } } }] },
      'images.0.tags.match',
      'PATTERN_INVALID',
    ],
  ])('refused: %s', async (_, more, path, code) => {
    const response = await ada.post('/api/transfer/schedules', nightly(more));
    expect(response.status).toBe(422);
    expect((await response.json()).errors).toMatchObject([{ path, code }]);
  });

  it('run once at a time', async () => {
    const { id } = await json(ada.post('/api/transfer/schedules', nightly()));
    expect((await ada.post(`/api/transfer/schedules/${id}/run`)).status).toBe(202);
    const { transfer_id: transferId } = await submitted(ada);
    await withSql((sql) =>
      sql.query('UPDATE transfer_schedules SET last_transfer_id = $1 WHERE id = $2', [
        transferId,
        id,
      ]),
    );
    const again = ada.post(`/api/transfer/schedules/${id}/run`);
    expect(await codeOf(again)).toEqual([409, 'SCHEDULE_RUNNING']);
  });

  it('of a disabled account are not changed', async () => {
    const ownerId = await api.account('leaver');
    await api.grant(ownerId, 'team', { canPush: true, canPullExternal: true });
    const { id } = await json((await api.as('leaver')).post('/api/transfer/schedules', nightly()));
    await api.store.users.update(ownerId, { disabled: true });
    const change = root.patch(`/api/transfer/schedules/${id}`, { dest_tag: 'stable' });
    expect(await codeOf(change)).toEqual([409, 'OWNER_DISABLED']);
  });

  it('are at most a hundred per account', async () => {
    const ownerId = await api.account('planner');
    await api.grant(ownerId, 'team', { canPush: true, canPullExternal: true });
    const planner = await api.as('planner');
    const { id } = await json(planner.post('/api/transfer/schedules', nightly()));
    const { name, cron, timezone, request, order } =
      (await api.store.schedules.find(id)) ?? expect.fail();
    const row = { ownerId, name, cron, timezone, enabled: false, request, order, nextRunAt: null };
    await Promise.all(Array.from({ length: 98 }, () => api.store.schedules.insert(row)));
    expect((await planner.post('/api/transfer/schedules', nightly())).status).toBe(201);
    const refused = await planner.post('/api/transfer/schedules', nightly());
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'SCHEDULES_MANY']);
  });

  it('whose transfer is not allowed now cannot be saved, nor changed with the rights of another account', async () => {
    expect((await bob.post('/api/transfer/schedules', nightly())).status).toBe(403);
    const { id } = await json(ada.post('/api/transfer/schedules', nightly()));
    const response = await root.patch(`/api/transfer/schedules/${id}`, { dest_folder: 'secret' });
    expect(response.status).toBe(403);
  });
});
