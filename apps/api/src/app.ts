/** The api as one Express application: what it is made of is handed in, so that a test hands in its own. */
import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { auditGroups } from '@portcullis/domain';
import {
  backlog,
  groupLags,
  type LiveNetwork,
  type LiveSettings,
  publish,
  publishProgress,
  recent,
  streamTime,
  subscribeProgress,
} from '@portcullis/events';
import { createIndexKeeper, createWriteGate } from '@portcullis/local-registry';
import { sendMail, sendSyslog } from '@portcullis/notify';
import type { Passwords } from '@portcullis/passwords';
import type { Queues } from '@portcullis/queue';
import {
  type Logger,
  listHeartbeats,
  type Metrics,
  type Redis,
  sealer,
  withRedis,
} from '@portcullis/runtime';
import type { Scanner } from '@portcullis/scanner';
import type { Store } from '@portcullis/store';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { createRights } from './access/rights.ts';
import { createIdentity, type Identity } from './auth/identity.ts';
import { deriveKey } from './auth/tokens.ts';
import type { ApiConfig } from './config.ts';
import { markOf } from './egress/mark-probe.ts';
import { ownEndpoints } from './egress/own-endpoints.ts';
import { createOwnHosts, MARK_HEADER } from './egress/own-hosts.ts';
import type { Egress } from './egress/transports.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { createAuditService } from './features/audit/service.ts';
import { authRoutes } from './features/auth/routes.ts';
import { createAuthService } from './features/auth/service.ts';
import { holdsRepositories } from './features/folders/holdings.ts';
import { folderRoutes } from './features/folders/routes.ts';
import { createFolderService } from './features/folders/service.ts';
import { groupRoutes } from './features/groups/routes.ts';
import { createGroupService } from './features/groups/service.ts';
import { registryEvents } from './features/images/registry-events.ts';
import { imageRoutes } from './features/images/routes.ts';
import { createImagesService } from './features/images/service.ts';
import { networkRoutes } from './features/network/routes.ts';
import { createNetworkService, type NetworkPorts } from './features/network/service.ts';
import { openOidc } from './features/oidc/open.ts';
import { oidcRoutes } from './features/oidc/routes.ts';
import { measureInstallation } from './features/processes/gauges.ts';
import { processRoutes } from './features/processes/routes.ts';
import { createProcessService, type ProcessPorts } from './features/processes/service.ts';
import { createRegistryAccess, type RegistryAccess } from './features/registries/open.ts';
import { registryRoutes } from './features/registries/routes.ts';
import { createRegistriesService } from './features/registries/service.ts';
import { createDockerHub } from './features/staging/docker-hub.ts';
import { createJobQuota } from './features/staging/quota.ts';
import { createReportFiles } from './features/staging/report-files.ts';
import { createReports } from './features/staging/reports.ts';
import { stagingRoutes } from './features/staging/routes.ts';
import { createStagingService } from './features/staging/service.ts';
import { createStreamPlaces } from './features/staging/stream-places.ts';
import { dependencyChecks, type ScannerReader, scannerReader } from './features/system/checks.ts';
import { latestRelease } from './features/system/releases.ts';
import { systemRoutes } from './features/system/routes.ts';
import { createSystemService, policyReader } from './features/system/service.ts';
import { tokensRoutes } from './features/tokens/routes.ts';
import { createTokensService } from './features/tokens/service.ts';
import { createTransferEnds } from './features/transfers/ends.ts';
import type { OrderPorts } from './features/transfers/order.ts';
import { createPlanner } from './features/transfers/plan.ts';
import { transferRoutes } from './features/transfers/routes.ts';
import { createScheduleService, ownerOf } from './features/transfers/schedules.ts';
import { createTransferService } from './features/transfers/service.ts';
import { usersRoutes } from './features/users/routes.ts';
import { createUsersService } from './features/users/service.ts';
import { accessLog } from './http/access-log.ts';
import { apiDocs } from './http/api-docs.ts';
import { errorHandler, unknownRoute } from './http/error-handler.ts';
import type { Route } from './http/implement.ts';
import { measureRequests, serveMetrics } from './http/metrics.ts';
import { type Kit, mount } from './http/mount.ts';
import { publicUrlOf } from './http/public-url.ts';
import { limitRequests } from './http/rate-limit.ts';
import { requestId } from './http/request-id.ts';
import { upkeepRoutes } from './upkeep.ts';
import { createChildMemory, createIndexChildren } from './v2/index-children.ts';
import { createV2 } from './v2/route.ts';
import { deriveV2Key } from './v2/token.ts';
import { createUploadStates } from './v2/upload-states.ts';
import { webPage } from './web/web-page.ts';

export interface ApiDeps {
  config: ApiConfig;
  secretKey: Buffer;
  /** What stored secrets may still be sealed with, while the key is being changed. */
  otherKeys?: readonly Buffer[];
  store: Store;
  redis: Redis;
  queues: Queues;
  passwords: Passwords;
  scanner: Pick<Scanner, 'state' | 'findReport'>;
  egress: Egress;
  settings: LiveSettings;
  network: LiveNetwork;
  log: Logger;
  metrics: Metrics;
  /** Tests compare every reply with the contract. */
  checkReplies?: boolean;
  /** The port that is listened on, once it is known. */
  port(): number;
}

export interface Api {
  app: Express;
  /** The store handed in, through which a change of rights acts at once in every process. */
  store: Store;
  /** Ends what requests may be waiting for. */
  close(): void;
}

export function createApp(deps: ApiDeps): Api {
  const { config, log } = deps;
  const stopping = new AbortController();
  const oidc = openOidc({ ...deps, env: config.oidc });
  const identity = createIdentity({
    ...deps,
    passwordRule: oidc.passwordRule,
    limits: {
      perAccount: config.LOGIN_LIMIT_PER_ACCOUNT,
      perAddress: config.LOGIN_LIMIT_PER_ADDRESS,
      windowSeconds: config.LOGIN_LIMIT_WINDOW_SECONDS,
    },
    sessionSeconds: Math.round(config.SESSION_HOURS * 3600),
  });
  const parts = assemble({ ...deps, store: identity.store }, { identity, oidc }, stopping.signal);
  const now = () => performance.now();

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false);
  app.use(requestId(log, now), accessLog(now, measureRequests(deps.metrics)));
  app.get('/metrics', serveMetrics(deps.metrics, config.METRICS_TOKEN));
  app.use('/v2', marked(parts.mark), parts.v2);
  if (config.REGISTRY_EVENTS_SECRET !== undefined)
    app.post('/registry-events', registryEvents(config.REGISTRY_EVENTS_SECRET, parts.keeper));
  app.use('/api', helmet());
  // Probes come from inside, and a busy address must not make us look dead.
  app.use('/api', mount(parts.probes, parts.kit));
  if (config.RATE_LIMIT_ENABLED) app.use('/api', requestBudgets(deps, identity));
  app.use('/api', mount(parts.routes, parts.kit));
  if (config.SWAGGER_ENABLED) app.use('/api', apiDocs(config.APP_VERSION));
  app.use('/api', unknownRoute);
  app.use(webPage(config.WEB_DIR), errorHandler);

  function close(): void {
    stopping.abort();
    parts.close();
    identity.close();
  }

  return { app, store: identity.store, close };
}

/** Who comes in, and how. */
interface Entrance {
  identity: Identity;
  oidc: ReturnType<typeof openOidc>;
}

function requestBudgets({ config, redis, log }: ApiDeps, { authenticate }: Identity): RequestHandler {
  return limitRequests({
    redis,
    // A credential that doesn't hold is a stranger's; the route itself says what is wrong with it.
    principal: (request) => authenticate(request).catch(() => null),
    perAddress: config.RATE_LIMIT_PER_MINUTE,
    perAccount: config.RATE_LIMIT_ACCOUNT_PER_MINUTE,
    log,
  });
}

function assemble(deps: ApiDeps, { identity, oidc }: Entrance, stopping: AbortSignal) {
  const { config, secretKey, store, redis } = deps;
  const { principals, sessions, checkPassword } = identity;
  const policy = policyReader(deps.settings, config.policy, config.TRIVY_ENABLED);
  const mark = deriveKey(secretKey, 'instance mark').toString('hex').slice(0, 32);
  const publishAudit: Kit['publish'] = (event) => publish(redis, event);
  const rights = createRights(principals.folders);

  const own = ownHosts(deps, mark);
  const access = createRegistryAccess({
    store,
    egress: deps.egress,
    ownHosts: own,
    registryUrl: config.REGISTRY_URL,
  });
  const registries = createRegistriesService({
    registries: store.registries,
    access,
    egress: deps.egress,
    publicHost: () => publicHost(deps),
    now: () => new Date(),
  });

  const keeper = createIndexKeeper({ index: store.images, open: access.openLocal, now: () => new Date() });
  const gate = createWriteGate(redis);
  const images = createImagesService({
    images: store.images,
    access,
    rights,
    keeper,
    gate,
    registryUrl: config.REGISTRY_URL,
  });

  const assertJobs = createJobQuota(store.jobs, config.MAX_OPEN_JOBS_PER_ACCOUNT);
  const staging = createStagingService({
    assertJobs,
    store,
    queues: deps.queues,
    rights,
    locate: access.locate,
    ownHosts: own,
    policy,
    publicHost: () => publicHost(deps),
    announce: (message) => publishProgress(redis, message),
    log: deps.log,
  });
  const scanner = scannerReader(deps.scanner, config.TRIVY_ENABLED);
  const checks = dependencyChecks({ store, redis, registryUrl: config.REGISTRY_URL, scanner });
  const system = systemRoutes(
    createSystemService({
      checks,
      scanner: scanner.facts,
      policy,
      version: config.APP_VERSION,
      commit: config.APP_COMMIT ?? null,
      latest: () =>
        latestRelease({ url: config.RELEASE_CHECK_URL ?? null, transport: deps.egress.configured, redis }),
      now: Date.now,
    }),
  );
  const routes = [
    ...authRoutes(
      createAuthService({ store, sessions, principals, passwords: deps.passwords, checkPassword }),
      config.PUBLIC_URL ?? null,
    ),
    ...usersRoutes(
      createUsersService({ store, passwords: deps.passwords, discardJobsOf: staging.discardJobsOf }),
    ),
    ...tokensRoutes(createTokensService(store)),
    ...oidcRoutes(oidc.service(identity), config.PUBLIC_URL ?? null),
    ...registryRoutes(registries),
    ...imageRoutes(images),
    ...accessRoutes(deps, access),
    ...stagingRoutes({
      service: staging,
      rights,
      hub: createDockerHub({ apiUrl: config.DOCKERHUB_API_URL, transport: deps.egress.configured, redis }),
      reports: createReports({
        file: createReportFiles({
          find: (id, format) => deps.scanner.findReport(reportDir(config.DATA_DIR, id), format),
          convert: (jobId, format) => deps.queues.enqueue({ name: 'convert-report', jobId, format }),
          scanner: deps.scanner,
        }),
      }),
      events: {
        subscribe: (options) => subscribeProgress(redis, options),
        findJob: (id) => store.jobs.find(id),
        current: identity.current,
        places: createStreamPlaces(),
        stopping,
      },
    }),
    ...networkRoutes(createNetworkService(networkPorts(deps))),
    ...transfersOf(deps, identity, { access, ownHosts: own, policy }),
    ...oversightRoutes(deps, checks, scanner),
    ...upkeepRoutes(deps, { access, rights, policy, facts: scanner.facts }),
    ...system.filter(({ operation }) => !operation.probe),
  ];
  const kit: Kit = {
    authenticate: identity.authenticate,
    publish: publishAudit,
    publicUrl: config.PUBLIC_URL ?? null,
    idempotencySecret: deriveKey(secretKey, 'idempotency'),
    checkReplies: deps.checkReplies ?? false,
  };
  const v2 = createV2({
    ...identity.registryAccounts,
    registryUrl: config.REGISTRY_URL,
    publicUrl: (request) => publicUrlOf(request, config.PUBLIC_URL ?? null),
    tokenKey: deriveV2Key(secretKey),
    folders: principals.folders,
    publishAudit,
    referrers: store.referrers,
    images: store.images,
    manifests: keeper,
    uploads: createUploadStates(redis, deps.log),
    children: createIndexChildren(createChildMemory(redis, deps.log)),
    gate,
    log: deps.log,
  });
  return {
    keeper,
    probes: system.filter(({ operation }) => operation.probe),
    routes,
    kit,
    v2,
    mark,
    close: v2.close,
  };
}

function oversightRoutes(
  { store, redis, network, queues, metrics }: ApiDeps,
  checks: ProcessPorts['checks'],
  scanner: ScannerReader,
): Route[] {
  const audit = createAuditService({
    archive: store.audit,
    backlog: (options) => backlog(redis, { ...options, group: 'archive' }),
  });
  const ports: ProcessPorts = {
    heartbeats: () => withRedis('REDIS_UNAVAILABLE', () => listHeartbeats(redis)),
    checks,
    scanner: scanner.facts,
    auditGroups: () => auditGroups(network.current()),
    lags: (groups) => groupLags(redis, groups),
    depths: queues.depths,
    now: Date.now,
  };
  measureInstallation(metrics, ports);
  return [...auditRoutes(audit), ...processRoutes(createProcessService(ports))];
}

function networkPorts({ config, secretKey, otherKeys, store, redis, settings }: ApiDeps): NetworkPorts {
  return {
    settings: store.settings,
    live: settings,
    env: config.network,
    sealer: sealer(secretKey, otherKeys),
    streamTime: () => streamTime(redis),
    recent: (limit) => recent(redis, limit),
    sendMail,
    sendSyslog,
    hostname: hostname(),
    now: () => new Date(),
    newId: randomUUID,
  };
}

const PLAN_DEADLINE_MS = 20_000;

function transfersOf(
  deps: ApiDeps,
  { principals }: Identity,
  { access, ...shared }: Pick<OrderPorts, 'ownHosts' | 'policy'> & { access: RegistryAccess },
): Route[] {
  const ports = {
    ...deps,
    ...shared,
    locate: access.locate,
    assertJobs: createJobQuota(deps.store.jobs, deps.config.MAX_OPEN_JOBS_PER_ACCOUNT),
    folders: principals.folders,
    publicHost: () => publicHost(deps),
  };
  const ends = createTransferEnds(access, deps.egress);
  return transferRoutes({
    service: createTransferService(ports),
    schedules: createScheduleService({
      ...ports,
      owner: (id) => ownerOf(principals, id),
      leastSeconds: deps.config.SCHEDULE_MIN_SECONDS,
      now: () => new Date(),
    }),
    plan: createPlanner({ ...ports, ends, deadlineMs: PLAN_DEADLINE_MS }),
  });
}

function accessRoutes({ store }: ApiDeps, { openLocal }: RegistryAccess): Route[] {
  const folders = createFolderService({
    store,
    // The index knows of most; what others put there a moment ago only the registry does.
    holdsRepositories: async (segment) =>
      (await store.images.countUnder(segment)) > 0 || holdsRepositories(segment, openLocal),
  });
  return [...groupRoutes(createGroupService({ store })), ...folderRoutes(folders)];
}

/** Tells other installations', and our own, questions who answers here: see own-hosts.ts. */
function marked(mark: string): RequestHandler {
  return (_, response, next) => {
    response.setHeader(MARK_HEADER, mark);
    next();
  };
}

function ownHosts({ config, egress, port }: ApiDeps, mark: string) {
  return createOwnHosts({
    own: () => ownEndpoints([config.PUBLIC_URL ?? null, config.REGISTRY_URL], port()),
    resolve: async (hostname) =>
      (await lookup(hostname, { all: true }).catch(() => [])).map(({ address }) => address),
    markOf: (host, asker) => markOf(egress.for(asker), host),
    mark,
    now: Date.now,
  });
}

/** What people call the built-in registry: the public URL's host, else this machine at our port. */
function publicHost({ config, port }: ApiDeps): string {
  return config.PUBLIC_URL ? new URL(config.PUBLIC_URL).host : `localhost:${port()}`;
}

/** In the job's own directory, with which it goes; an OCI layout may hold more than a layout. */
function reportDir(dataDir: string, jobId: string): string {
  return path.join(dataDir, 'cache', 'staging', jobId, 'reports');
}
