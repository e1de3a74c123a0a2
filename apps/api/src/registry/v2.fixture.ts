/** For tests only: `/v2` over a registry, with accounts in memory. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type FolderGrant, folderOf, type Principal } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import { UNUSED_QUOTAS, UNUSED_TAGS } from '@portcullis/gate';
import {
  parseRegistryUrl,
  registrySocket,
  storedContent,
  storedUploads,
  type WriteLock,
} from '@portcullis/local-registry';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import { createLogger } from '@portcullis/runtime';
import type { Referrer, Store } from '@portcullis/store';
import { refusal, startRegistry, type TestRegistry } from '@portcullis/testing';
import express from 'express';
import { translateErrors } from '../features/images/upstream.ts';
import { requestId } from '../http/client/request-id.ts';
import { deriveV2Key } from './access/token.ts';
import type { ManifestEvents, ManifestPut, RemovedManifest } from './manifests/manifest-events.ts';
import { createPulls, type PullMemory } from './manifests/pull-memory.ts';
import { createV2, type V2Router } from './router.ts';
import type { UploadStates } from './uploads/upload-states.ts';
import type { V2Ports } from './v2.ts';

const log = createLogger({ name: 'test', level: 'silent' });

const grant = (folder: string, canPull: boolean, canPush: boolean): FolderGrant => ({
  folder,
  canPull,
  canPush,
  canPullExternal: false,
  canPushExternal: false,
});

export const account = (username: string, isAdmin: boolean, grants: FolderGrant[]): Principal => ({
  id: username,
  username,
  isAdmin,
  canBypassVulnBlock: false,
  auth: 'basic',
  grants,
});

/** The password of each account is its name, twice. */
function accountsOf(): Map<string, Principal> {
  const all = [
    account('admin', true, []),
    account('reader', false, [grant('team', true, false)]),
    account('writer', false, [grant('team', true, true)]),
    account('other', false, [grant('team', true, true), grant('secret', false, true)]),
    account('nobody', false, []),
  ];
  return new Map(all.map((principal) => [principal.username, principal]));
}

const FOLDERS = ['__root__', 'team', 'secret'];

export interface ServedV2 {
  url: string;
  host: string;
  accounts: Map<string, Principal>;
  audit: AuditEvent[];
  stored: ManifestPut[];
  removed: RemovedManifest[];
  referrers: Referrer[];
  /** Sends a request as the account `writer`. */
  ask(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Restores the initial accounts and clears the events. */
  reset(): void;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type V2Options = Partial<
  Pick<
    V2Ports,
    'timeouts' | 'disk' | 'storage' | 'storedUploads' | 'storeOrigins' | 'registryLock' | 'log'
  >
>;

export interface StartedV2 extends ServedV2 {
  registry: TestRegistry;
}

/**
 * Starts a real registry and `/v2` over it, which reads the registry's storage; `stop` ends both.
 */
export async function startV2(
  options: Parameters<typeof startRegistry>[0] = {},
  more: V2Options = {},
): Promise<StartedV2> {
  const registry = await startRegistry(options);
  const storage = options.storage === undefined ? storedContent(registry.storageDir) : null;
  const uploads = storage && storedUploads(registry.storageDir, () => {});
  const v2 = await serveV2(registry.loginUrl, { storage, storedUploads: uploads, ...more });
  const stop = async () => {
    await v2.stop();
    await registry.stop();
  };
  return { ...v2, registry, stop, [Symbol.asyncDispose]: stop };
}

export async function serveV2(registryUrl: string, more: V2Options = {}): Promise<ServedV2> {
  const recorded = {
    audit: [] as AuditEvent[],
    stored: [] as ManifestPut[],
    removed: [] as RemovedManifest[],
  };
  const accounts = accountsOf();
  const index = referrersInMemory();
  const { base, credentials } = parseRegistryUrl(registryUrl);
  const transport = createTransport({ socket: registrySocket(registryUrl) });
  const openHere = (repository: string) =>
    openRepository({
      ...{ host: base.host, tls: 'off', transport, repository },
      ...(credentials && { credentials }),
    });
  const router = createV2({
    registryUrl,
    removeTag: (repository, tag) =>
      translateErrors(
        { registry: null, missing: ['MANIFEST_UNKNOWN', 'there is no such tag'] },
        () => openHere(repository).removeTag(tag),
      ),
    publicUrl: (request) => `${request.protocol}://${request.host}`,
    tokenKey: deriveV2Key(randomBytes(32)),
    audience: 'images.example.com',
    accounts: {
      authenticateBasic: async (name, password) =>
        (password === name + name ? accounts.get(name) : undefined) ?? null,
      principalById: async (id) => accounts.get(id) ?? null,
    },
    knownFolders: async () => ({ folders: new Set(FOLDERS), mirrors: new Map() }),
    publishAudit: async (event) => void recorded.audit.push(event),
    manifests: eventsInto(recorded),
    referrers: index.referrers,
    images: {
      names: async (page) => namesIn(recorded.stored, page),
      tagPage: async () => null,
    },
    ownStatements: { statementsIn: async () => new Set(), open: openHere },
    uploads: statesInMemory(),
    disk: null,
    storage: null,
    storedUploads: null,
    pulls: createPulls(pullsInMemory()),
    registryLock: OPEN_LOCK,
    pullGate: NO_PULL_GATE,
    mirrors: NO_MIRRORS,
    immutableTags: UNUSED_TAGS,
    folderQuotas: UNUSED_QUOTAS,
    log,
    ...more,
  });
  const { server, url } = await listening(router);
  const stop = async () => {
    router.close();
    transport.close();
    await endOf(server);
  };
  const reset = () => {
    accounts.clear();
    for (const [name, principal] of accountsOf()) accounts.set(name, principal);
    for (const list of Object.values(recorded)) list.length = 0;
  };
  const ask = (method: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, as('writer', { method, ...init }));
  const shown = { url, host: new URL(url).host, accounts, ...recorded, referrers: index.rows };
  return { ...shown, ask, reset, stop, [Symbol.asyncDispose]: stop };
}

/** As where the mode of every folder is `off`. */
const NO_PULL_GATE: V2Ports['pullGate'] = {
  isOn: async () => false,
  decide: () => Promise.reject(new Error('no pull is decided')),
};

/** As where no folder has an upstream. */
const NO_MIRRORS: V2Ports['mirrors'] = {
  of: async () => null,
  named: async () => null,
  read: () => Promise.reject(new Error('there is no mirror')),
  referrers: async () => {},
  tags: async () => [],
};

/** A write lock without a garbage collector. */
const OPEN_LOCK: WriteLock = {
  write: (work) => work(),
  needs: async () => {},
  settled: async () => {},
  touches: async () => {},
};

function eventsInto({
  stored,
  removed,
}: {
  stored: ManifestPut[];
  removed: RemovedManifest[];
}): ManifestEvents {
  return {
    stored: async (event) => void stored.push(event),
    removed: async (event) => void removed.push(event),
  };
}

function pullsInMemory(): PullMemory {
  const known = new Set<string>();
  return {
    remember: async (keys) => keys.forEach((key) => void known.add(key)),
    knows: async (key) => known.has(key),
    isFirst: async (key) => !known.has(key) && known.add(key).has(key),
  };
}

function statesInMemory(): UploadStates {
  const states = new Map<string, string>();
  return {
    remember: async (uuid, state) => void states.set(uuid, state),
    recall: async (uuid) => states.get(uuid) ?? null,
    forget: async (uuid) => void states.delete(uuid),
  };
}

/** The names of images pushed through us, sorted as in the store. */
function namesIn(
  stored: readonly ManifestPut[],
  { folders, after = '', limit }: Parameters<Store['images']['names']>[0],
): string[] {
  const readable = (name: string) =>
    folders === 'all' || folders.includes(folderOf(name, new Set(FOLDERS)));
  const names = [...new Set(stored.map(({ repository }) => repository))].sort();
  return names.filter((name) => name > after && readable(name)).slice(0, limit);
}

/** The referrers, sorted as in the store. */
function referrersInMemory() {
  const rows: Referrer[] = [];
  const drop = (repository: string, digest: string) => {
    const at = rows.findIndex((row) => row.repository === repository && row.digest === digest);
    if (at >= 0) rows.splice(at, 1);
  };
  const referrers: Pick<Store['referrers'], 'record' | 'list' | 'remove'> = {
    async record(row) {
      drop(row.repository, row.digest);
      rows.push(row);
    },
    list: async ({ repository, subject, artifactType, after = '', limit }) =>
      rows
        .filter(
          (row) => row.repository === repository && row.subject === subject && row.digest > after,
        )
        .filter((row) => artifactType === undefined || row.artifactType === artifactType)
        .sort((one, other) => (one.digest < other.digest ? -1 : 1))
        .slice(0, limit),
    remove: async (repository, digest) => drop(repository, digest),
  };
  return { rows, referrers };
}

async function listening(router: V2Router): Promise<{ server: Server; url: string }> {
  const app = express();
  app.use(requestId(log, () => performance.now()));
  app.use('/v2', router);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

/** A server in place of the registry. */
export async function fakeRegistry(listener: Parameters<typeof createServer>[1] & {}) {
  const fake = createServer(listener).listen(0, '127.0.0.1');
  await once(fake, 'listening');
  const { port } = fake.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => endOf(fake) };
}

async function endOf(ended: Server): Promise<void> {
  ended.closeAllConnections();
  await new Promise((resolve) => ended.close(resolve));
}

/** Sends the text unchanged, as no client would. It must contain `Connection: close`. */
export async function raw(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(text); // A half-closed socket would look disconnected.
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export const credentials = (name: string, password = name + name): string => `${name}:${password}`;

export const basic = (name: string, password?: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(credentials(name, password)).toString('base64')}`,
});

export const as = (name: string, more: RequestInit = {}): RequestInit => ({
  ...more,
  redirect: 'manual',
  headers: { ...basic(name), ...more.headers },
});

export async function codeOf(response: Response): Promise<string | undefined> {
  const { errors } = (await refusal(response)) as { errors: { code: string }[] };
  return errors[0]?.code;
}
