/** Builds the parts that several features share. */
import { lookup } from 'node:dns/promises';
import {
  type AuditLog,
  type LiveNetwork,
  type LiveSettings,
  type LiveThreatFeeds,
  publishChange,
  watchAfterSettings,
} from '@portcullis/events';
import { openGates, type ReadRepository } from '@portcullis/gate';
import {
  createIndexKeeper,
  createQuotaClaims,
  createTagClaims,
  createWriteLock,
  storedContent,
} from '@portcullis/local-registry';
import type { Source } from '@portcullis/oci';
import type { Repository } from '@portcullis/oci/remote';
import type { Passwords } from '@portcullis/passwords';
import { firstScanOf, type Queues } from '@portcullis/queue';
import {
  createOwnHosts,
  createRegistryAccess,
  type Egress,
  ownEndpoints,
  readMark,
} from '@portcullis/registry-access';
import {
  diskSpace,
  type Logger,
  type Metrics,
  overNetwork,
  type Redis,
  singleFlight,
} from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { ApiConfig } from '../config.ts';
import { createStandings } from '../features/images/standings.ts';
import { translateErrors } from '../features/images/upstream.ts';
import { createJobQuota } from '../features/staging/quota.ts';
import { dependencyChecks, scannerReader } from '../features/system/checks.ts';
import { policyReader } from '../features/system/service.ts';
import { storageReader } from '../features/system/storages.ts';
import { createAnnouncer } from '../identity/change-notifications.ts';
import type { IdentityParts } from '../identity/identity.ts';
import { createRights } from '../identity/rights.ts';
import { deriveKey } from '../identity/tokens.ts';

/** The connections and settings from which the api is built. */
export interface ApiDeps {
  config: ApiConfig;
  secretKey: Buffer;
  /** Old keys that may still seal stored secrets during a key rotation. */
  otherKeys?: readonly Buffer[];
  store: Store;
  redis: Redis;
  audit: Pick<AuditLog, 'tell' | 'end'>;
  queues: Queues;
  passwords: Passwords;
  egress: Egress;
  settings: LiveSettings;
  network: LiveNetwork;
  feeds: Pick<LiveThreatFeeds, 'current'>;
  log: Logger;
  metrics: Metrics;
  /** Tests compare every reply with the contract. */
  checkReplies?: boolean;
  /** The port of the server; known once it listens. */
  port(): number;
}

/** Without the store: `Shared` has the one that notifies every process of changes of rights. */
export type Connections = Omit<ApiDeps, 'store'>;
export type Shared = ReturnType<typeof shareParts>;

/** The health of dependencies is public, and several metrics have the same source. */
const WAITS_REUSE_MS = 1_000;

export function shareParts(deps: Connections, identity: IdentityParts) {
  const { config, secretKey, redis } = deps;
  const { store } = identity;
  /** Identifies this installation in replies of `/v2`. */
  const mark = deriveKey(secretKey, 'instance mark').toString('hex').slice(0, 32);
  const own = ownHosts(deps, mark);
  const access = createRegistryAccess({
    store,
    egress: deps.egress,
    ownHosts: own,
    registryUrl: config.REGISTRY_URL,
    dockerHubHost: config.DOCKERHUB_HOST,
  });
  const { REGISTRY_STORAGE: storageDir } = config;
  const waits = singleFlight(() => store.jobs.waits(), { reuseMs: WAITS_REUSE_MS });
  const storages = storageReader(
    store.storages,
    deps.log,
    storageDir === undefined ? null : diskSpace(storageDir, config.DISK_RESERVE),
  );
  const scanner = scannerReader(storages, config.TRIVY_ENABLED);
  const policy = policyReader(deps.settings, config.policy, config.TRIVY_ENABLED);
  const storage = storageDir === undefined ? null : storedContent(storageDir);
  const { gate: imageGate, ...gates } = openGates({
    store,
    policy,
    folders: identity.principals.folders,
    open: (repository) => translatedReads(access.openLocal(repository)),
    watch: (onChange) => watchAfterSettings(redis, deps.settings, onChange),
    async database() {
      const { available, db } = await scanner.facts();
      return available ? (db?.updatedAt ?? null) : null;
    },
    announce: () => publishChange(redis, 'gate'),
    claims: { tags: createTagClaims(redis), quotas: createQuotaClaims(redis) },
    now: () => new Date(),
  });
  return {
    store,
    identity,
    mark,
    ownHosts: own,
    access,
    storage,
    scanner,
    policy,
    standings: createStandings({
      store,
      policy,
      feeds: deps.feeds.current,
      now: () => new Date(),
    }),
    rights: createRights(identity.principals.knownFolders),
    keeper: createIndexKeeper({
      index: store.images,
      open: access.openLocal,
      storage,
      async tagged({ digest }) {
        if (!config.TRIVY_ENABLED) return;
        await deps.queues
          .wake(firstScanOf(digest))
          .catch((err: unknown) =>
            deps.log.warn({ err, digest }, 'the sweeper enqueues a scan later'),
          );
      },
    }),
    registryLock: createWriteLock(redis),
    imageGate,
    /** Call after a change of policies, waivers, or of the places that policies apply to. */
    gateChanged: createAnnouncer({
      ...{ redis, kind: 'gate', log: deps.log },
      forget: imageGate.forget,
    }),
    gates,
    assertJobs: createJobQuota(store.jobs, config.MAX_OPEN_JOBS_PER_ACCOUNT),
    storages,
    waits,
    checks: dependencyChecks({
      store,
      redis,
      registryUrl: config.REGISTRY_URL,
      scanner,
      storages,
      waits,
    }),
    publicHost: () => publicHost(deps),
  };
}

/** Reads of the built-in registry with our codes of errors. */
function translatedReads(repository: Repository): ReadRepository & Pick<Source, 'fetch'> {
  const ask = <T>(question: () => Promise<T>) =>
    translateErrors({ registry: null, missing: ['MANIFEST_UNKNOWN', 'there is none'] }, question);
  return {
    resolve: (reference, options) => ask(() => repository.resolve(reference, options)),
    manifest: (reference) => ask(() => repository.manifest(reference)),
    allTags: () => ask(() => repository.allTags()),
    fetch: (descriptor, options) => ask(() => repository.fetch(descriptor, options)),
  };
}

function ownHosts({ config, egress, port }: Connections, mark: string) {
  return createOwnHosts({
    own: () => ownEndpoints(overNetwork([config.PUBLIC_URL, config.REGISTRY_URL]), port()),
    resolve: async (hostname) =>
      (await lookup(hostname, { all: true }).catch(() => [])).map(({ address }) => address),
    readMark: (host, account) => readMark(egress.for(account), host),
    mark,
    now: Date.now,
  });
}

/**
 * The built-in registry's public host: that of the public URL, or else this machine's with our
 * port.
 */
function publicHost({ config, port }: Connections): string {
  return config.PUBLIC_URL ? new URL(config.PUBLIC_URL).host : `localhost:${port()}`;
}
