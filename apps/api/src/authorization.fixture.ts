/**
 * The authorization matrix: every operation of the contract with the status for each kind of
 * caller. An operation without a row neither compiles nor passes authorization.test.ts.
 * authorization.int.test.ts sends all requests.
 */

import { createHash, randomUUID } from 'node:crypto';
import type { contract } from '@portcullis/contract';
import { type JobStatus, type TransferOrder, UNLIMITED_SCOPES } from '@portcullis/domain';
import { OCI_INDEX } from '@portcullis/oci';
import { json } from '@portcullis/testing';
import type { Client, TestApi } from './api.fixture.ts';

export const ROLES = ['anonymous', 'other', 'owner', 'admin'] as const;
type Role = (typeof ROLES)[number];

/**
 * `owner` has all rights on the folder `team` and owns what a row creates; `other` is an account
 * without any grant.
 */
export interface World {
  api: TestApi;
  ids: Record<Exclude<Role, 'anonymous'>, string>;
  clients: Record<Exclude<Role, 'anonymous'>, Client>;
  /** The account that sends the request. */
  role: Role;
}

/** The parts of a request: path parameters, query and body. */
export interface Sent {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

export interface Row {
  /** The status for each role, in the order of ROLES. */
  expected: readonly [anonymous: number, other: number, owner: number, admin: number];
  /**
   * Called for each caller, because a delete by one caller would remove what the next one requests.
   */
  send?(world: World): Sent | Promise<Sent>;
}

type Matrix = {
  [Group in keyof typeof contract]: { [Operation in keyof (typeof contract)[Group]]: Row };
};

function row(expected: Row['expected'], send?: Row['send']): Row {
  return send ? { expected, send } : { expected };
}

const ANYBODY = [200, 200, 200, 200] as const;
const ANY_ACCOUNT = [401, 200, 200, 200] as const;
const ADMIN_ONLY = [401, 403, 403, 200] as const;
const ADMIN_MAKES = [401, 403, 403, 201] as const;
const ADMIN_REMOVES = [401, 403, 403, 204] as const;

// ---- accounts

const auth: Matrix['auth'] = {
  login: row(ANYBODY, () => ({ body: { username: 'owner', password: 'pass-of-owner' } })),
  logout: row([401, 204, 204, 204]),
  me: row(ANY_ACCOUNT),
  session: row(ANYBODY),
  listContacts: row(ANY_ACCOUNT),
  // A correct old password each time, and the same one as the new password.
  changePassword: row([401, 422, 422, 422], ({ role }) => ({
    body: { current_password: `pass-of-${role}`, new_password: `pass-of-${role}` },
  })),
};

let made = 0;

async function userParams({ api }: World): Promise<Sent> {
  return { params: { id: await api.account(`made-${++made}`) } };
}

const users: Matrix['users'] = {
  list: row(ADMIN_ONLY),
  create: row(ADMIN_MAKES, () => ({
    body: { username: `new-${++made}`, password: 'a long enough one' },
  })),
  get: row(ADMIN_ONLY, userParams),
  update: row(ADMIN_ONLY, async (world) => ({
    ...(await userParams(world)),
    body: { disabled: true },
  })),
  remove: row(ADMIN_REMOVES, userParams),
};

const tokens: Matrix['tokens'] = {
  list: row(ANY_ACCOUNT),
  create: row([401, 201, 201, 201], () => ({ body: { name: 'ci', scope: 'api' } })),
  remove: row([401, 404, 204, 204], async ({ api, ids }) => {
    const made = {
      userId: ids.owner,
      name: 'ci',
      scope: UNLIMITED_SCOPES.api,
      hint: '',
      hash: randomUUID(),
    } as const;
    const { id } = await api.store.tokens.insert({
      ...made,
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    return { params: { id } };
  }),
};

/** Of a group that has the owner as a member. */
async function madeRobot(world: World): Promise<string> {
  const ownerGroupId = await madeGroup(world);
  const { id } = await world.api.store.robots.insert({
    name: `robot-${++made}`,
    description: '',
    ownerGroupId,
    groupIds: [ownerGroupId],
    canBypassVulnBlock: false,
    createdBy: 'admin',
  });
  return id;
}

async function aRobot(world: World): Promise<Sent> {
  return { params: { id: await madeRobot(world) } };
}

async function aRobotToken(world: World): Promise<Sent> {
  const userId = await madeRobot(world);
  const { id } = await world.api.store.tokens.insert({
    userId,
    name: 'ci',
    scope: UNLIMITED_SCOPES.docker,
    hint: '',
    hash: randomUUID(),
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  return { params: { id: userId, token_id: id } };
}

const robots: Matrix['robots'] = {
  list: row(ANY_ACCOUNT),
  create: row(ADMIN_MAKES, () => ({ body: { name: `robot-${++made}` } })),
  get: row([401, 404, 200, 200], aRobot),
  update: row(ADMIN_ONLY, async (world) => ({
    ...(await aRobot(world)),
    body: { description: 'd' },
  })),
  remove: row(ADMIN_REMOVES, aRobot),
  listTokens: row([401, 404, 200, 200], aRobot),
  createToken: row([401, 404, 201, 201], async (world) => ({
    ...(await aRobot(world)),
    body: { name: 'ci', scope: 'docker' },
  })),
  rotateToken: row([401, 404, 201, 201], async (world) => ({
    ...(await aRobotToken(world)),
    body: {},
  })),
  removeToken: row([401, 404, 204, 204], aRobotToken),
};

async function trustBody(world: World): Promise<Record<string, unknown>> {
  return {
    name: `trust-${++made}`,
    issuer: 'https://issuer.example',
    audience: 'portcullis',
    conditions: { repository: ['acme/app'] },
    robot_id: await madeRobot(world),
    scope: 'docker',
  };
}

async function aTrust(world: World): Promise<Sent> {
  const { id } = await world.api.store.identityTrusts.insert({
    name: `trust-${++made}`,
    issuer: 'https://issuer.example',
    audience: 'portcullis',
    conditions: { repository: ['acme/app'] },
    robotId: await madeRobot(world),
    scope: UNLIMITED_SCOPES.docker,
    minutes: 5,
    caCert: null,
    enabled: true,
    createdBy: 'admin',
  });
  return { params: { id } };
}

const trusts: Matrix['trusts'] = {
  list: row(ADMIN_ONLY),
  create: row(ADMIN_MAKES, async (world) => ({ body: await trustBody(world) })),
  update: row(ADMIN_ONLY, async (world) => ({ ...(await aTrust(world)), body: { minutes: 1 } })),
  remove: row(ADMIN_REMOVES, aTrust),
  test: row(ADMIN_ONLY, () => ({ body: { token: 'a.b.c' } })),
  // An identity token that no rule accepts is answered 401; see keyless.int.test.ts.
  exchange: row([422, 422, 422, 422], () => ({ body: { grant_type: 'password' } })),
};

// ---- groups and folders

/** Has the owner as a member. */
async function madeGroup({ api, ids }: World): Promise<string> {
  const { id } = await api.store.groups.insertGroup({ name: randomUUID() });
  await api.store.groups.addMember(id, ids.owner);
  return id;
}

async function aGroup(world: World): Promise<Sent> {
  return { params: { id: await madeGroup(world) } };
}

const groups: Matrix['groups'] = {
  listGroups: row(ADMIN_ONLY),
  createGroup: row(ADMIN_MAKES, () => ({ body: { name: randomUUID() } })),
  getGroup: row(ADMIN_ONLY, aGroup),
  updateGroup: row(ADMIN_ONLY, async (world) => ({
    ...(await aGroup(world)),
    body: { description: 'd' },
  })),
  removeGroup: row(ADMIN_REMOVES, aGroup),
  addMember: row(ADMIN_ONLY, async (world) => ({
    ...(await aGroup(world)),
    body: { username: 'other' },
  })),
  removeMember: row(ADMIN_REMOVES, async (world) => ({
    params: { id: await madeGroup(world), user_id: world.ids.owner },
  })),
};

/** With a group that may pull from it. */
async function madeFolder(world: World): Promise<Record<'folder_id' | 'group_id', string>> {
  const [{ id: folderId }, groupId] = [
    await world.api.store.folders.insertFolder({ name: `f${randomUUID()}` }),
    await madeGroup(world),
  ];
  await world.api.store.folders.grant(folderId, groupId, { canPull: true });
  return { folder_id: folderId, group_id: groupId };
}

async function aFolder(world: World): Promise<Sent> {
  return { params: await madeFolder(world) };
}

async function aMirror(world: World): Promise<Sent> {
  const params = await madeFolder(world);
  const mirror = {
    ...{ registryId: null, prefix: '', allow: ['*'], platforms: [] },
    ...{ checkMinutes: 60, keepDays: 90 },
  };
  await world.api.store.folders.update(params.folder_id, { mirror });
  return { params };
}

const folders: Matrix['folders'] = {
  listFolders: row(ADMIN_ONLY),
  createFolder: row(ADMIN_MAKES, () => ({ body: { name: `f${randomUUID()}` } })),
  listPullable: row(ANY_ACCOUNT),
  listPushable: row(ANY_ACCOUNT),
  listWritable: row(ANY_ACCOUNT),
  listAskable: row(ANY_ACCOUNT),
  listPullableExternal: row(ANY_ACCOUNT),
  listPushableExternal: row(ANY_ACCOUNT),
  listFolderNames: row(ADMIN_ONLY),
  explainAccess: row(ADMIN_ONLY, ({ ids }) => ({
    query: { user_id: ids.owner, action: 'pull_external' },
  })),
  getFolder: row(ADMIN_ONLY, aFolder),
  getFolderGate: row([401, 404, 200, 200], aFolder),
  listFolderSummaries: row(ANY_ACCOUNT),
  getFolderOverview: row([401, 404, 200, 200], aFolder),
  listFolderImages: row([401, 404, 200, 200], aFolder),
  getRetention: row([401, 404, 200, 200], aFolder),
  previewRetention: row(ADMIN_ONLY, async (world) => ({
    ...(await aFolder(world)),
    body: { retention: { keep_newest: 1 } },
  })),
  runRetention: row([401, 403, 403, 202], async (world) => {
    const { folder_id } = await madeFolder(world);
    const retention = { keepNewest: 1, keepDays: null, keep: [] };
    await world.api.store.folders.update(folder_id, { retention });
    return { params: { folder_id } };
  }),
  listMirrors: row(ANY_ACCOUNT),
  getMirror: row([401, 404, 200, 200], aMirror),
  listMirrorTags: row([401, 404, 200, 200], aMirror),
  getMirrorConfig: row([401, 404, 200, 200], async (world) => ({
    ...(await aMirror(world)),
    query: { client: 'podman' },
  })),
  getFolderTrend: row([401, 404, 200, 200], aFolder),
  updateFolder: row(ADMIN_ONLY, async (world) => ({
    ...(await aFolder(world)),
    body: { description: 'd' },
  })),
  removeFolder: row(ADMIN_REMOVES, aFolder),
  listPermissions: row(ADMIN_ONLY, aFolder),
  setPermission: row(ADMIN_ONLY, async (world) => {
    const { folder_id, group_id } = await madeFolder(world);
    return { params: { folder_id }, body: { group_id, can_push: true } };
  }),
  removePermission: row(ADMIN_REMOVES, aFolder),
};

// ---- OIDC, not set up

const oidc: Matrix['oidc'] = {
  config: row(ANYBODY),
  login: row([404, 404, 404, 404]),
  callback: row([404, 404, 404, 404]),
  logout: row([302, 302, 302, 302]),
  settings: row([401, 403, 403, 200]),
  change: row([401, 403, 403, 200], () => ({ body: { provider_name: 'Example' } })),
  test: row([401, 403, 403, 200], () => ({ body: {} })),
};

// ---- saved registries

/** No server listens at this address, and none is needed. */
const NOWHERE = { name: 'nowhere', host: '127.0.0.1:1', use_tls: false };

async function savedRegistry({ api, ids }: World): Promise<Sent> {
  const { id } = await api.store.registries.insert({
    name: 'r',
    host: NOWHERE.host,
    ownerId: ids.owner,
  });
  return { params: { id } };
}

const registries: Matrix['registries'] = {
  listRegistries: row(ANY_ACCOUNT),
  createRegistry: row([401, 403, 403, 201], () => ({ body: { ...NOWHERE, owner: 'global' } })),
  getRegistry: row([401, 404, 200, 200], savedRegistry),
  updateRegistry: row([401, 404, 200, 200], async (world) => ({
    ...(await savedRegistry(world)),
    body: { name: 'renamed' },
  })),
  removeRegistry: row([401, 404, 204, 204], savedRegistry),
  probeRegistry: row([401, 403, 200, 200], () => ({ body: { host: NOWHERE.host } })),
  checkRegistry: row([401, 404, 200, 200], savedRegistry),
};

// ---- images

async function pushed({ api }: World): Promise<string> {
  const repository = `team/${randomUUID()}`;
  const bytes = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests: [] }),
  );
  const url = `${api.registry.url}/v2/${repository}/manifests/1`;
  await fetch(url, { method: 'PUT', body: bytes, headers: { 'content-type': OCI_INDEX } });
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  await api.store.images.record({ repository, tag: '1', digest, manifests: [], at: new Date() });
  return repository;
}

function image(more: (repository: string) => Sent): Row['send'] {
  return async (world) => ({ params: { registry_id: '__local__' }, ...more(await pushed(world)) });
}

const tagged = image((repository) => ({ query: { repository, tag: '1' } }));

const images: Matrix['images'] = {
  listImages: row(ANY_ACCOUNT, () => ({ params: { registry_id: '__local__' } })),
  listImageTree: row(ANY_ACCOUNT, () => ({ params: { registry_id: '__local__' } })),
  removeRepository: row(
    [401, 403, 200, 200],
    image((repository) => ({ query: { repository } })),
  ),
  listImageTags: row(
    [401, 403, 200, 200],
    image((repository) => ({ query: { repository } })),
  ),
  getImage: row([401, 403, 200, 200], tagged),
  findImageTag: row([401, 403, 200, 200], tagged),
  getImageStanding: row(
    [401, 403, 200, 200],
    image((repository) => ({ query: { repository, reference: '1' } })),
  ),
  listImageStatements: row(
    [401, 403, 200, 200],
    image((repository) => ({ query: { repository, reference: '1' } })),
  ),
  compareImages: row(
    [401, 403, 200, 200],
    image((repository) => ({ query: { repository, from: '1', to: '1' } })),
  ),
  // An image without a scan has no list.
  listImagePackages: row([401, 403, 404, 404], tagged),
  removeImageTag: row([401, 403, 204, 204], tagged),
  removeImageTags: row(
    [401, 403, 200, 200],
    image((repository) => ({ query: { repository }, body: { tags: ['1'] } })),
  ),
  retagImage: row(
    [401, 403, 201, 201],
    image((repository) => ({ query: { repository }, body: { source_tag: '1', new_tag: '2' } })),
  ),
  copyImage: row(
    [401, 403, 201, 201],
    image((repository) => ({
      params: {},
      body: { source_repository: repository, source_tag: '1', dest_repository: 'team/copied' },
    })),
  ),
};

const gate: Matrix['gate'] = {
  gateChanges: row(ANY_ACCOUNT),
  explainGate: row([401, 403, 200, 200], async (world) => ({
    query: { repository: await pushed(world), reference: '1' },
  })),
};

// ---- staging

const PULL = { image: 'team/app', tag: '1' };

async function job({ api, ids }: World, status: JobStatus): Promise<string> {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await api.store.jobs.insert({ ownerId: ids.owner, ...PULL, source });
  const digest = `sha256:${'a'.repeat(64)}`;
  await api.store.jobs.update(id, (made) => ({ ...made, status, digest, verdict: 'clean' }));
  return id;
}

function jobIs(status: JobStatus) {
  return async (world: World): Promise<Sent> => ({ params: { job_id: await job(world, status) } });
}

async function pushOrder(world: World) {
  return {
    job_id: await job(world, 'staged'),
    target_image: 'app',
    target_tag: '1',
    folder: 'team',
  };
}

/** Docker Hub is unavailable in these tests: an allowed request gets 503. */
const staging: Matrix['staging'] = {
  searchDockerHub: row([401, 403, 503, 503], () => ({ query: { q: 'nginx' } })),
  listDockerHubTags: row([401, 403, 503, 503], () => ({ query: { image: 'library/nginx' } })),
  // For a missing repository of our registry, the rights on the folder are checked first.
  listSourceTags: row([401, 403, 404, 404], ({ api }) => ({
    body: { image: 'team/nothing', source_registry_host: api.host },
  })),
  pull: row([401, 403, 202, 202], () => ({ body: PULL })),
  push: row([401, 404, 202, 202], async (world) => ({ body: await pushOrder(world) })),
  getLastDestination: row(ANY_ACCOUNT),
  previewPush: row([401, 404, 200, 200], async (world) => ({ query: await pushOrder(world) })),
  listJobs: row(ANY_ACCOUNT),
  // Jobs of other accounts are counted as refused.
  bulkJobs: row(ANY_ACCOUNT, async (world) => ({
    body: { action: 'cancel', ids: [await job(world, 'staged')] },
  })),
  getJob: row([401, 404, 200, 200], jobIs('staged')),
  removeJob: row([401, 404, 204, 204], jobIs('staged')),
  cancelJob: row([401, 404, 202, 202], jobIs('pull_queued')),
  retryJob: row([401, 404, 202, 202], jobIs('cancelled')),
  listNewFindings: row([401, 404, 200, 200], jobIs('staged')),
  listPassingTags: row([401, 404, 200, 200], jobIs('staged')),
  // Without a scan the status is 404 too; the tests of reports check that code.
  downloadReport: row([401, 404, 404, 404], jobIs('staged')),
  listReportPlatforms: row([401, 404, 200, 200], jobIs('staged')),
  streamEvents: row(ANY_ACCOUNT),
};

// ---- network

/** Delivery is disabled here: an allowed request gets 409. */
const network: Matrix['network'] = {
  config: row(ADMIN_ONLY),
  setProxy: row(ADMIN_ONLY, () => ({ body: {} })),
  resetProxy: row(ADMIN_REMOVES),
  setSyslog: row(ADMIN_ONLY, () => ({ body: {} })),
  resetSyslog: row(ADMIN_REMOVES),
  setEmail: row(ADMIN_ONLY, () => ({ body: {} })),
  resetEmail: row(ADMIN_REMOVES),
  sendEmail: row([401, 403, 403, 409]),
  testEmail: row([401, 403, 403, 409]),
  testSyslog: row([401, 403, 403, 409]),
};

// ---- transfers

const BATCH = { images: [{ repository: 'team/app', tag: '1' }], dest_registry_id: '__local__' };
const WITHIN = { ...BATCH, source_registry_id: '__local__', dest_folder: 'team', dest_tag: '2' };
const NIGHTLY = { ...WITHIN, name: 'nightly', cron: '0 3 * * *' };
const ORDER: TransferOrder = {
  source: { kind: 'registry', registryId: '__local__', host: 'here' },
  destination: { kind: 'local', registryId: '__local__', host: 'here' },
  entries: [{ image: 'team/app', repository: 'team/app', tags: { tag: '1' }, targetTag: '2' }],
  platforms: 'all',
  overrides: { vulnScanEnabled: null, vulnSeverities: null },
  withReferrers: true,
  bypass: { allowed: true, reason: null },
};

function transferIs(status: JobStatus) {
  return async ({ api, ids }: World): Promise<Sent> => {
    const source = ORDER.source;
    const jobs = [{ ownerId: ids.owner, image: 'team/app', tag: '1', source }];
    const { id } = await api.store.transfers.insert({ ownerId: ids.owner, order: ORDER, jobs });
    await api.store.transfers.updateJobs(id, ['pull_queued'], (made) => ({ ...made, status }));
    return { params: { id } };
  };
}

async function schedule({ api, ids }: World): Promise<Sent> {
  const { name, cron, ...request } = NIGHTLY;
  const times = { name, cron, timezone: 'UTC', enabled: true, nextRunAt: new Date() };
  const body = { ...request, include_referrers: true };
  const { id } = await api.store.schedules.insert({
    ownerId: ids.owner,
    ...times,
    request: body,
    order: ORDER,
  });
  return { params: { id } };
}

const transfers: Matrix['transfers'] = {
  transfer: row([401, 403, 202, 202], () => ({ body: WITHIN })),
  // A missing right is reported for each image of the plan.
  planTransfer: row(ANY_ACCOUNT, () => ({ body: WITHIN })),
  listTransfers: row(ANY_ACCOUNT),
  getTransfer: row([401, 404, 200, 200], transferIs('pushed')),
  streamTransferEvents: row(ANY_ACCOUNT),
  downloadTransferReport: row([401, 404, 200, 200], transferIs('pushed')),
  removeTransfer: row([401, 404, 204, 204], transferIs('pull_queued')),
  cancelTransfer: row([401, 404, 202, 202], transferIs('pull_queued')),
  retryTransfer: row([401, 404, 202, 202], transferIs('failed')),
  listSchedules: row(ANY_ACCOUNT),
  previewSchedule: row(ANY_ACCOUNT, () => ({ query: { cron: '0 3 * * *' } })),
  createSchedule: row([401, 403, 201, 201], () => ({ body: NIGHTLY })),
  getSchedule: row([401, 404, 200, 200], schedule),
  updateSchedule: row([401, 404, 200, 200], async (world) => ({
    ...(await schedule(world)),
    body: { enabled: false },
  })),
  removeSchedule: row([401, 404, 204, 204], schedule),
  runSchedule: row([401, 404, 202, 202], schedule),
};

// ---- system

const audit: Matrix['audit'] = { listAudit: row(ADMIN_ONLY), exportAudit: row(ADMIN_ONLY) };

const processes: Matrix['processes'] = {
  listProcesses: row(ADMIN_ONLY),
  listQueues: row(ADMIN_ONLY),
};

const system: Matrix['system'] = {
  health: row(ANYBODY),
  dependencyHealth: row(ANYBODY),
  ready: row(ANYBODY),
  version: row(ANY_ACCOUNT),
  latestVersion: row(ANY_ACCOUNT),
};

const localScans = image((repository) => ({ params: {}, query: { repository } }));

const trivy: Matrix['trivy'] = {
  state: row(ANY_ACCOUNT),
  setOverride: row(ADMIN_ONLY, () => ({ body: { timeout_s: 60 } })),
  resetOverride: row(ADMIN_REMOVES),
  getDatabase: row(ADMIN_ONLY),
  updateDatabase: row([401, 403, 403, 202]),
  scanImage: row(
    [401, 403, 202, 202],
    image((repository) => ({ params: {}, body: { image: `${repository}:1` } })),
  ),
  getScan: row([401, 404, 200, 200], async (world) => {
    const repository = await pushed(world);
    const place = {
      registryId: '__local__',
      repository,
      reference: '1',
      digest: `sha256:${'a'.repeat(64)}`,
    };
    const scan = { ...place, requestedById: world.ids.owner, state: 'queued' as const };
    return { params: { id: (await world.api.store.scans.insert(scan)).id } };
  }),
  listScans: row([401, 403, 200, 200], localScans),
  searchFindings: row(ANY_ACCOUNT, () => ({ query: { cve: 'CVE-2024-0001' } })),
};

// No worker runs here: an allowed request gets 409.
const maintenance: Matrix['maintenance'] = {
  getGarbageCollection: row(ADMIN_ONLY),
  collectGarbage: row([401, 403, 403, 409], () => ({ body: {} })),
  listFeeds: row(ADMIN_ONLY),
  listOrphans: row(ADMIN_ONLY),
  removeOrphans: row([401, 403, 403, 202]),
};

const dashboard: Matrix['dashboard'] = { stats: row(ANY_ACCOUNT) };

/** The owner may request waivers for `team` and reviews none. */
async function requestedWaiver({ api, ids }: World): Promise<Sent> {
  const { id } = await api.store.waivers.insertWaiver({
    ...WAIVER_SCOPE,
    status: 'accepted',
    packageVersion: null,
    justification: null,
    reason: 'not reachable',
    ticket: null,
    vexDocument: null,
    requestedById: ids.owner,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  return { params: { id } };
}

/** The owner may request reviews for `team` and decides about none. */
async function requestedReview({ api, ids }: World): Promise<Sent> {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const image = 'library/asked';
  const job = await api.store.jobs.insert({ ownerId: ids.owner, image, tag: '1', source });
  const digest = `sha256:${createHash('sha256').update(`asked ${++made}`).digest('hex')}`;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const { number } = await api.store.reviews.insertReview(
    {
      jobId: job.id,
      image: { digest, registryId: null, host: source.host, repository: image, tag: '1' },
      destination: {
        ...{ kind: 'local', registryId: '__local__', host: 'here', folder: 'team' },
        ...{ repository: 'team/asked', tag: '1' },
      },
      findings: [
        {
          ...{ vulnerability: 'CVE-2026-1234', severity: 'CRITICAL', title: null },
          ...{ cvssScore: null, cvssVector: null, primaryUrl: null, publishedAt: null },
          packages: [
            { name: 'openssl', installedVersion: '3.0.1', fixedVersion: '3.0.2', inBase: null },
          ],
          packagesTotal: 1,
        },
      ],
      age: null,
      signatures: null,
      counts: { CRITICAL: 1, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 },
      reason: 'the release needs it',
      ticket: null,
      until: inDays(30),
      push: null,
      requestedBy: { id: ids.owner, username: 'owner' },
      endsAt: inDays(7),
    },
    new Date(),
  );
  return { params: { number: String(number) } };
}

async function aboutReview(world: World, body: object): Promise<Sent> {
  return { ...(await requestedReview(world)), body };
}

const reviews: Matrix['reviews'] = {
  list: row(ANY_ACCOUNT, async (world) => {
    await requestedReview(world);
    return {};
  }),
  count: row(ANY_ACCOUNT),
  // Nothing blocks the image: an allowed request gets 409.
  request: row([401, 404, 409, 409], async (world) => ({
    body: {
      ...(await pushOrder(world)),
      reason: 'the release needs it',
      until: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })),
  get: row([401, 404, 200, 200], requestedReview),
  decide: row([401, 404, 403, 200], (world) => aboutReview(world, { decision: 'approve' })),
  withdraw: row([401, 404, 200, 200], (world) => aboutReview(world, {})),
  comment: row([401, 404, 201, 201], (world) => aboutReview(world, { text: 'which release?' })),
};

const WAIVER_SCOPE = {
  vulnerability: 'CVE-2026-1',
  package: null,
  repository: null,
  digest: null,
  folder: 'team',
};

const waivers: Matrix['waivers'] = {
  list: row(ANY_ACCOUNT),
  request: row([401, 403, 201, 201], () => ({
    body: {
      ...WAIVER_SCOPE,
      status: 'accepted',
      reason: 'not reachable',
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })),
  ofFindings: row(
    [401, 403, 200, 200],
    image((repository) => ({ params: {}, query: { repository, reference: '1' } })),
  ),
  preview: row(ANY_ACCOUNT, () => ({ body: WAIVER_SCOPE })),
  importVex: row([401, 403, 200, 200], () => ({
    query: { folder: 'team' },
    body: {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': 'https://vendor.example/vex/1',
      author: 'Vendor',
      timestamp: '2026-11-22T00:00:00Z',
      version: 1,
      statements: [{ vulnerability: { name: 'CVE-2026-1' }, status: 'fixed' }],
    },
  })),
  // No waiver in force covers the image: an allowed request gets 409.
  exportVex: row(
    [401, 403, 409, 409],
    image((repository) => ({ params: {}, query: { repository, reference: '1' } })),
  ),
  attachVex: row(
    [401, 403, 409, 409],
    image((repository) => ({ params: {}, body: { repository, reference: '1' } })),
  ),
  get: row([401, 404, 200, 200], requestedWaiver),
  covered: row([401, 404, 200, 200], requestedWaiver),
  approve: row([401, 404, 403, 200], requestedWaiver),
  reject: row([401, 404, 403, 200], async (world) => ({
    ...(await requestedWaiver(world)),
    body: { reason: 'reachable' },
  })),
  revoke: row([401, 404, 200, 200], async (world) => ({
    ...(await requestedWaiver(world)),
    body: {},
  })),
};

// ---- policies

const TERMS = { rules: [{ severities: ['CRITICAL'] }] };

/** A policy of a folder that the owner may pull from. */
async function readablePolicy(world: World): Promise<Sent> {
  const { params } = await aPolicy(world);
  const { folder_id } = await madeFolder(world);
  await world.api.store.folders.update(folder_id, { policyId: params.policy_id });
  return { params };
}

async function aPolicy({ clients }: World) {
  const reply = await clients.admin.post('/api/policies', { name: randomUUID(), ...TERMS });
  const { id } = await json(reply);
  return { params: { policy_id: String(id) } };
}

const policies: Matrix['policies'] = {
  listPolicies: row(ANY_ACCOUNT),
  createPolicy: row(ADMIN_MAKES, () => ({ body: { name: randomUUID(), ...TERMS } })),
  previewPolicy: row(ADMIN_ONLY, () => ({ body: { draft: TERMS } })),
  getPolicy: row([401, 404, 200, 200], readablePolicy),
  updatePolicy: row(ADMIN_ONLY, async (world) => ({
    ...(await aPolicy(world)),
    body: { version: 1, grace_days: 0 },
  })),
  removePolicy: row(ADMIN_REMOVES, aPolicy),
};

const KEYLESS = {
  kind: 'keyless',
  issuer: 'https://token.actions.githubusercontent.com',
  subject: 'https://github.com/acme/app/.github/workflows/release.yml@refs/heads/main',
};

async function anAuthority({ clients }: World) {
  const name = randomUUID();
  await clients.admin.post('/api/authorities', { name, ...KEYLESS });
  return { params: { name } };
}

const authorities: Matrix['authorities'] = {
  listAuthorities: row(ANY_ACCOUNT),
  createAuthority: row(ADMIN_MAKES, () => ({ body: { name: randomUUID(), ...KEYLESS } })),
  checkAuthority: row(ADMIN_ONLY, () => ({ body: KEYLESS })),
  getAuthority: row(ANY_ACCOUNT, anAuthority),
  replaceAuthority: row(ADMIN_ONLY, async (world) => ({
    ...(await anAuthority(world)),
    body: { version: 1, ...KEYLESS },
  })),
  removeAuthority: row(ADMIN_REMOVES, anAuthority),
};

const vulnerabilities: Matrix['vulnerabilities'] = {
  listVulnerabilities: row(ANY_ACCOUNT),
  exportVulnerabilities: row(ANY_ACCOUNT),
  getVulnerability: row(ANY_ACCOUNT, () => ({ params: { id: 'CVE-2024-0001' } })),
};

const clusters: Matrix['clusters'] = {
  listClusters: row(ADMIN_ONLY),
  listRunningImages: row(ANY_ACCOUNT),
  reportRunningImages: row(ADMIN_ONLY, () => ({
    params: { name: randomUUID() },
    body: { images: [] },
  })),
  removeCluster: row(ADMIN_REMOVES, async ({ api, ids }) => {
    const cluster = randomUUID();
    await api.store.clusters.report({
      cluster,
      ...{ reporterId: ids.admin, folders: 'all', notKnown: 0, images: [] },
    });
    return { params: { name: cluster } };
  }),
};

const search: Matrix['search'] = {
  searchAll: row(ANY_ACCOUNT, () => ({ query: { q: 'team' } })),
};

const notifications: Matrix['notifications'] = {
  listNotifications: row(ANY_ACCOUNT),
  markNotificationsRead: row([401, 204, 204, 204], () => ({ body: {} })),
  getNotificationSettings: row(ANY_ACCOUNT),
  getNotificationMail: row(ANY_ACCOUNT),
  putNotificationSettings: row(ANY_ACCOUNT, () => ({
    body: { settings: [{ kind: 'job.pushed', page: true, mail: false }] },
  })),
};

/** A webhook of `team`, which the owner may push to. */
async function savedWebhook({ api }: World) {
  const { id } = await api.store.webhooks.insert({
    name: 'hook',
    folder: 'team',
    url: 'https://1.1.1.1/hook',
    format: 'cloudevents',
    kinds: [],
    createdBy: 'admin',
    secret: 'whsec_c2VjcmV0',
  });
  return { params: { id } };
}

async function savedDelivery(world: World) {
  const { params } = await savedWebhook(world);
  const event = { specversion: '1.0', type: 'io.portcullis.webhook.test', data: {} };
  const { id } = await world.api.store.webhookDeliveries.queue({
    webhookId: params.id,
    eventId: randomUUID(),
    kind: 'webhook.test',
    body: JSON.stringify(event),
  });
  return { params: { ...params, delivery_id: id } };
}

const ADMIN_QUEUES = [401, 403, 403, 202] as const;

const webhooks: Matrix['webhooks'] = {
  listWebhooks: row(ANY_ACCOUNT),
  createWebhook: row(ADMIN_MAKES, () => ({
    body: { name: 'hook', url: 'https://1.1.1.1/hook' },
  })),
  getWebhook: row([401, 404, 200, 200], savedWebhook),
  updateWebhook: row(ADMIN_ONLY, async (world) => ({
    ...(await savedWebhook(world)),
    body: { enabled: false },
  })),
  removeWebhook: row(ADMIN_REMOVES, savedWebhook),
  rotateSecret: row(ADMIN_ONLY, savedWebhook),
  testWebhook: row(ADMIN_QUEUES, savedWebhook),
  listDeliveries: row([401, 404, 200, 200], savedWebhook),
  getDelivery: row([401, 404, 200, 200], savedDelivery),
  replayDelivery: row(ADMIN_QUEUES, savedDelivery),
};

export const matrix: Matrix = {
  auth,
  users,
  tokens,
  robots,
  trusts,
  groups,
  folders,
  oidc,
  registries,
  images,
  gate,
  staging,
  network,
  transfers,
  audit,
  processes,
  system,
  trivy,
  maintenance,
  dashboard,
  waivers,
  reviews,
  policies,
  authorities,
  vulnerabilities,
  search,
  clusters,
  notifications,
  webhooks,
};
