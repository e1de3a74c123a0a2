/** The nine authorization rules, with the real api and registry. */
import { json, pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, stagedAs, startApi, type TestApi } from '../api.fixture.ts';
import { answerOf, basicOf, OCI_MANIFEST } from './requests.fixture.ts';

let api: TestApi;
let clients: Record<string, Client>;

/** Each account has one kind of right, so that a check of another right is noticed. */
const ACCOUNTS = {
  ungranted: [],
  'team-puller': [['team', { canPull: true }]],
  'team-pusher': [['team', { canPush: true }]],
  'team-both': [['team', { canPull: true, canPush: true }]],
  'root-both': [['__root__', { canPull: true, canPush: true }]],
  'outside-puller': [['other', { canPullExternal: true }]],
  'outside-pusher': [['other', { canPushExternal: true }]],
  'lone-owner': [
    ['team', { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true }],
  ],
  waver: [['team', { canPull: true, canPush: true }]],
  root: [],
} as const;
type Account = keyof typeof ACCOUNTS;

const PRIVILEGES: Partial<Record<string, object>> = {
  root: { isAdmin: true },
  waver: { canBypassVulnBlock: true },
};

/**
 * A single segment with a folder's name, a folder, a deeper path, and a first segment that is no
 * folder.
 */
const REPOSITORIES = {
  'team/app': 'team',
  'team/a/b': 'team',
  team: '__root__',
  'stray/app': '__root__',
};

beforeAll(async () => {
  api = await startApi();
  for (const [username, grants] of Object.entries(ACCOUNTS)) {
    const id = await api.account(username, PRIVILEGES[username]);
    for (const [folder, flags] of grants) await api.grant(id, folder, flags);
  }
  const names = Object.keys(ACCOUNTS);
  clients = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await api.as(name)])),
  );
  const image = await randomImage();
  for (const repository of Object.keys(REPOSITORIES)) {
    await pushImage(api.registry.url, repository, '1', image);
  }
});
afterAll(() => api?.stop());

function as(account: Account): Client {
  const client = clients[account];
  if (!client) throw new Error(`no account ${account}`);
  return client;
}

const pull = (account: Account, fields: object) =>
  answerOf(as(account).post('/api/staging/pull', { image: 'team/app', tag: '1', ...fields }));
const pullLocal = (account: Account, image: string) =>
  pull(account, { image, source_registry_id: '__local__' });

/** A job of the account that is ready to be pushed. */
async function staged(
  account: Account,
  verdict: Parameters<typeof stagedAs>[0] = 'clean',
): Promise<string> {
  const { id: ownerId } = await json(as(account).get('/api/auth/me'));
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await api.store.jobs.insert({ ownerId, image: 'team/app', tag: '1', source });
  await api.store.jobs.update(id, stagedAs(verdict));
  return id;
}

async function push(account: Account, fields: object, verdict?: Parameters<typeof stagedAs>[0]) {
  const job_id = await staged(account, verdict);
  return answerOf(
    as(account).post('/api/staging/push', {
      job_id,
      target_image: 'app',
      target_tag: '1',
      ...fields,
    }),
  );
}

const manifest = async (account: Account, repository: string) =>
  (
    await fetch(`${api.url}/v2/${repository}/manifests/1`, {
      headers: { accept: OCI_MANIFEST, ...basicOf(account) },
    })
  ).status;
const upload = async (account: Account, repository: string) =>
  (
    await fetch(`${api.url}/v2/${repository}/blobs/uploads/`, {
      method: 'POST',
      headers: basicOf(account),
    })
  ).status;

const ACCEPTED = [202, null];
const NOT_HERE = [403, 'FOLDER_FORBIDDEN'];
const NO_PULL_OUTSIDE = [403, 'PULL_EXTERNAL_FORBIDDEN'];
const NO_PUSH_OUTSIDE = [403, 'PUSH_EXTERNAL_FORBIDDEN'];

describe('rule 1: the first of at least two segments names the folder; all else is __root__’s', () => {
  it.each(Object.entries(REPOSITORIES))('%s is %s’s', async (repository, folder) => {
    const [granted, other]: Account[] =
      folder === 'team' ? ['team-both', 'root-both'] : ['root-both', 'team-both'];
    if (!granted || !other) return expect.unreachable();
    expect(await pullLocal(granted, repository)).toEqual(ACCEPTED);
    expect(await pullLocal(other, repository)).toEqual(NOT_HERE);
    expect(await push(granted, { target_image: repository })).toEqual(ACCEPTED);
    expect(await push(other, { target_image: repository })).toEqual(NOT_HERE);
    expect([await manifest(granted, repository), await manifest(other, repository)]).toEqual([
      200, 403,
    ]);
    expect([await upload(granted, repository), await upload(other, repository)]).toEqual([
      202, 403,
    ]);
    const query = new URLSearchParams({
      job_id: await staged(granted),
      target_image: repository,
      target_tag: '1',
    });
    expect(await json(as(granted).get(`/api/staging/push/preview?${query}`))).toMatchObject({
      folder,
    });
  });
});

describe('rule 2: what no group grants is denied, operation by operation', () => {
  it('an account without a grant may do nothing', async () => {
    for (const repository of Object.keys(REPOSITORIES)) {
      expect(await pullLocal('ungranted', repository)).toEqual(NOT_HERE);
      expect(await push('ungranted', { target_image: repository })).toEqual(NOT_HERE);
      expect([
        await manifest('ungranted', repository),
        await upload('ungranted', repository),
      ]).toEqual([403, 403]);
    }
    expect(await pull('ungranted', {})).toEqual(NO_PULL_OUTSIDE);
    expect(await json(as('ungranted').get('/api/folders/mine'))).toEqual([]);
  });

  it('can_pull lets pull and not push, can_push push and not pull', async () => {
    expect(await manifest('team-puller', 'team/app')).toBe(200);
    expect(await upload('team-puller', 'team/app')).toBe(403);
    expect(await push('team-puller', { folder: 'team' })).toEqual(NOT_HERE);
    expect(await upload('team-pusher', 'team/app')).toBe(202);
    expect(await manifest('team-pusher', 'team/app')).toBe(403);
    expect(await pullLocal('team-pusher', 'team/app')).toEqual(NOT_HERE);
  });
});

it.each<[Account, string, unknown]>([
  ['team-puller', 'team/app', ACCEPTED],
  ['team-puller', 'stray/app', NOT_HERE],
  ['root-both', 'team/app', NOT_HERE],
  ['outside-puller', 'team/app', NOT_HERE],
  ['root', 'team/app', ACCEPTED],
])(
  'rule 3: a pull by %s of %s from our own registry needs can_pull on that very folder',
  async (account, image, expected) => {
    expect(await pullLocal(account, image)).toEqual(expected);
  },
);

it.each<[Account, unknown]>([
  ['outside-puller', ACCEPTED],
  ['team-both', NO_PULL_OUTSIDE],
  ['outside-pusher', NO_PULL_OUTSIDE],
  ['root', ACCEPTED],
])(
  'rule 4: a pull by %s from outside needs can_pull_external on any folder',
  async (account, expected) => {
    const { id } = await api.store.registries.insert({ name: 'quay', host: 'quay.example' });
    expect(await pull(account, {})).toEqual(expected);
    expect(await pull(account, { source_registry_id: id })).toEqual(expected);
    expect(await pull(account, { source_registry_host: 'ghcr.example' })).toEqual(expected);
  },
);

it.each<[Account, object, unknown]>([
  ['team-pusher', { folder: 'team' }, ACCEPTED],
  ['team-pusher', { target_image: 'team/app' }, ACCEPTED],
  ['team-pusher', {}, NOT_HERE],
  ['team-pusher', { folder: 'other' }, NOT_HERE],
  ['team-pusher', { folder: '__root__', target_image: 'other/app' }, NOT_HERE],
  ['root-both', { folder: 'team' }, NOT_HERE],
  ['root-both', { folder: '__root__' }, ACCEPTED],
  ['outside-pusher', { folder: 'team' }, NOT_HERE],
  ['root', { folder: 'other' }, ACCEPTED],
])(
  'rule 5: a push by %s to our own registry, %j, needs can_push on the folder it lands in',
  async (account, fields, expected) => {
    expect(await push(account, fields)).toEqual(expected);
  },
);

it.each<[Account, unknown]>([
  ['outside-pusher', ACCEPTED],
  ['team-both', NO_PUSH_OUTSIDE],
  ['outside-puller', NO_PUSH_OUTSIDE],
  ['root', ACCEPTED],
])('rule 6: a push by %s to the outside needs can_push_external', async (account, expected) => {
  const { id } = await api.store.registries.insert({ name: 'quay', host: 'quay.example' });
  expect(await push(account, { external_registry_id: id })).toEqual(expected);
  expect(await push(account, { external_registry_host: 'ghcr.example' })).toEqual(expected);
});

it('rule 7: accounts other than administrators may push or delete only their own jobs', async () => {
  const job_id = await staged('lone-owner');
  const order = { job_id, target_image: 'app', target_tag: '1', folder: 'team' };
  const path = `/api/staging/jobs/${job_id}`;
  const stranger = as('team-both');
  const responses = [
    stranger.post('/api/staging/push', order),
    stranger.get(`/api/staging/push/preview?${new URLSearchParams(order)}`),
    stranger.get(path),
    stranger.get(`${path}/report`),
    stranger.post(`${path}/cancel`),
    stranger.post(`${path}/retry`),
    stranger.delete(path),
  ];
  for (const answer of responses) expect(await answerOf(answer)).toEqual([404, 'JOB_UNKNOWN']);
  expect(await json(stranger.get('/api/staging/jobs?owner=lone-owner'))).toEqual([]);
  expect(await answerOf(as('lone-owner').post('/api/staging/push', order))).toEqual(ACCEPTED);
  expect((await as('root').delete(path)).status).toBe(204);
});

describe('rule 8: a blocked image is pushed only by accounts that may bypass the scan', () => {
  it.each<[Account, Parameters<typeof stagedAs>[0], unknown]>([
    ['team-pusher', 'blocked', [403, 'VULN_BLOCKED']],
    ['team-pusher', 'error', [403, 'SCAN_REQUIRED']],
    ['team-pusher', 'unscannable', [403, 'SCAN_REQUIRED']],
    ['team-pusher', 'skipped', [403, 'SCAN_REQUIRED']],
    ['team-pusher', 'pending', [403, 'SCAN_REQUIRED']],
    ['team-pusher', 'findings', ACCEPTED],
    ['team-pusher', 'clean', ACCEPTED],
    ['waver', 'blocked', ACCEPTED],
    ['waver', 'error', ACCEPTED],
    ['root', 'blocked', ACCEPTED],
  ])('%s, %s', async (account, verdict, expected) => {
    expect(await push(account, { folder: 'team' }, verdict)).toEqual(expected);
  });

  it('externally and locally, and the right on the folder is required too', async () => {
    const outside = { external_registry_host: 'ghcr.example' };
    expect(await push('outside-pusher', outside, 'blocked')).toEqual([403, 'VULN_BLOCKED']);
    expect(await push('waver', { folder: 'other' }, 'blocked')).toEqual(NOT_HERE);
  });

  it('relaxing the policy for a job needs the same privilege; tightening it does not', async () => {
    const [off, shorter] = [
      { vuln_scan_enabled_override: false },
      { vuln_severities_override: ['LOW'] },
    ];
    const longer = { vuln_severities_override: ['CRITICAL', 'HIGH', 'MEDIUM'] };
    const ofOurs = { source_registry_id: '__local__' };
    for (const relaxed of [off, shorter]) {
      expect(await pull('team-puller', { ...ofOurs, ...relaxed })).toEqual([
        403,
        'OVERRIDE_FORBIDDEN',
      ]);
      expect(await pull('root', { ...ofOurs, ...relaxed })).toEqual(ACCEPTED);
    }
    expect(await pull('team-puller', { ...ofOurs, ...longer })).toEqual(ACCEPTED);
    expect(await pull('waver', { ...ofOurs, ...off })).toEqual(ACCEPTED);
  });
});

describe('rule 9: an external destination that is our own registry is a local push', () => {
  it.each<[Account, unknown]>([
    ['team-pusher', ACCEPTED],
    ['outside-pusher', NOT_HERE],
    ['root-both', NOT_HERE],
  ])('%s', async (account, expected) => {
    const mirror = await api.store.registries.insert({ name: 'us', host: api.host });
    for (const end of [
      { external_registry_id: '__local__' },
      { external_registry_id: mirror.id },
      { external_registry_host: api.host },
      // The credentials for our own host are ignored, and rewrite nothing.
      {
        external_registry_host: api.host,
        external_registry_username: 'other',
        external_registry_password: 'x',
      },
    ]) {
      expect([end, await push(account, { ...end, target_image: 'team/app' })]).toEqual([
        end,
        expected,
      ]);
    }
  });
});
