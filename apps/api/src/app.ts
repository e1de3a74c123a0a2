/** Composes the api: its parts, its routes, the `/v2` router and the page. */
import { statementLayers } from '@portcullis/attest';
import { storedUploads } from '@portcullis/local-registry';
import { MARK_HEADER } from '@portcullis/registry-access';
import { diskSpace } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { accountRoutes } from './compose/accounts.ts';
import { type OpenedAdmission, openAdmission } from './compose/admission.ts';
import { authoritiesRoutes } from './compose/authorities.ts';
import { registryAndImageRoutes } from './compose/images.ts';
import { scannerAndMaintenanceRoutes } from './compose/maintenance.ts';
import { openMirrors } from './compose/mirrors.ts';
import {
  auditAndProcessRoutes,
  networkSettingRoutes,
  versionAndHealthRoutes,
} from './compose/oversight.ts';
import { policiesRoutes } from './compose/policies.ts';
import { openPullGate } from './compose/pull-gate.ts';
import { openReviews } from './compose/reviews.ts';
import { type ApiDeps, type Connections, type Shared, shareParts } from './compose/shared.ts';
import {
  openEvents,
  openReasons,
  openStaging,
  stagingAndReportRoutes,
  transferAndScheduleRoutes,
} from './compose/staging.ts';
import { waiversRoutes } from './compose/waivers.ts';
import { webhooksRoutes } from './compose/webhooks.ts';
import { registryEvents } from './features/images/registry-events.ts';
import { translateErrors } from './features/images/upstream.ts';
import { type Oidc, openOidc } from './features/oidc/open.ts';
import { publishedKeys } from './features/statements/published-keys.ts';
import { accessLog } from './http/access-log.ts';
import { createAccountTurns } from './http/client/account-turns.ts';
import { oneHost } from './http/client/one-host.ts';
import { publicUrlOf } from './http/client/public-url.ts';
import { limitRequests } from './http/client/rate-limit.ts';
import { requestId } from './http/client/request-id.ts';
import { compressReplies } from './http/compress.ts';
import { errorHandler, unknownRoute } from './http/error-handler.ts';
import { wantBody } from './http/expect-continue.ts';
import { measureRequests, serveMetrics } from './http/metrics.ts';
import { type Kit, mount } from './http/mount.ts';
import { apiDocs } from './http/openapi/api-docs.ts';
import { traceRequests } from './http/trace.ts';
import { createIdentity, type IdentityParts } from './identity/identity.ts';
import { deriveKey } from './identity/tokens.ts';
import { SERVICE_NAME, serviceOf } from './registry/access/challenge.ts';
import { deriveV2Key } from './registry/access/token.ts';
import { createHolds, type Holds } from './registry/gate/holds.ts';
import { createManifestBudget } from './registry/manifests/manifest-budget.ts';
import { createPullMemory, createPulls } from './registry/manifests/pull-memory.ts';
import { CHECK_ROUND_MS } from './registry/mirror/due-checks.ts';
import type { MirrorReads } from './registry/mirror/mirror-reads.ts';
import { createV2 } from './registry/router.ts';
import { createUploadStates } from './registry/uploads/upload-states.ts';
import { webPage } from './web/web-page.ts';

/** Pushes after an approval that a process left behind when it died. */
const SETTLE_MS = 30_000;

export interface Api {
  app: Express;
  /** The webhook for clusters; null where it is switched off. */
  admission: OpenedAdmission | null;
  /** The store that notifies every process of changes of rights. */
  store: Store;
  /** Asks the upstreams of mirrors about the tags that are due, as each minute. */
  checkMirrors(): Promise<void>;
  /** Ends long responses. */
  close(): void;
}

export function createApp(deps: ApiDeps): Api {
  const { config, log } = deps;
  const stopping = new AbortController();
  const oidc = openOidc({
    store: deps.store,
    redis: deps.redis,
    secretKey: deps.secretKey,
    otherKeys: deps.otherKeys,
    settings: deps.settings,
    egress: deps.egress,
    env: config.oidc,
    log,
  });
  const identity = createIdentity({
    store: deps.store,
    redis: deps.redis,
    passwords: deps.passwords,
    secretKey: deps.secretKey,
    log,
    passwordRule: oidc.passwordRule,
    limits: {
      perAccount: config.LOGIN_LIMIT_PER_ACCOUNT,
      perAddress: config.LOGIN_LIMIT_PER_ADDRESS,
      windowSeconds: config.LOGIN_LIMIT_WINDOW_SECONDS,
    },
    sessionSeconds: Math.round(config.SESSION_HOURS * 3600),
    oidcTokenDays: config.OIDC_TOKEN_DAYS ?? null,
    publicUrl: config.PUBLIC_URL ?? null,
    transport: deps.egress.configured,
  });
  const parts = assemble(deps, { identity, oidc }, stopping.signal);
  const now = () => performance.now();

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false);
  app.use(oneHost);
  app.use(requestId(log, now), traceRequests, accessLog(now, measureRequests(deps.metrics)));
  app.get('/metrics', serveMetrics(deps.metrics, config.METRICS_TOKEN));
  app.use('/v2', markReply(parts.mark), parts.v2);
  app.use((request, response, next) => {
    wantBody(request, response);
    next();
  });
  if (config.REGISTRY_EVENTS_SECRET !== undefined)
    app.post('/registry-events', registryEvents(config.REGISTRY_EVENTS_SECRET, parts.keeper));
  app.use('/api', helmet(ANSWERS), compressReplies());
  // Probes are not rate-limited: an address with many requests must not make the process look dead.
  app.use('/api', mount(parts.probes, parts.kit));
  if (config.RATE_LIMIT_ENABLED) app.use('/api', requestBudgets(deps, identity));
  app.use('/api', mount(parts.routes, parts.kit));
  if (config.SWAGGER_ENABLED) app.use('/api', apiDocs(config.APP_VERSION));
  app.use('/api', unknownRoute);
  const anonymous = config.RATE_LIMIT_ENABLED ? [requestBudgets(deps, identity)] : [];
  app.use('/.well-known/portcullis', ...anonymous, publishedKeys(deps.store.signingKeys));
  app.use(webPage(config.WEB_DIR), errorHandler);

  const settling = setInterval(() => void parts.reviewPushes.settle(), SETTLE_MS);
  settling.unref();
  void parts.reviewPushes.settle();
  const checkMirrors = () => parts.dueChecks.run(stopping.signal);
  const checking = setInterval(() => void checkMirrors(), CHECK_ROUND_MS);
  checking.unref();

  function close(): void {
    stopping.abort();
    clearInterval(settling);
    clearInterval(checking);
    parts.v2.close();
    parts.imageGate.close();
    identity.close();
  }

  const { admission } = parts;
  return { app, admission, store: identity.store, checkMirrors, close };
}

/**
 * Answers are data, never documents, so headers that only a document obeys are left out: a page
 * that opens makes ten requests. `docs` has its own policy. HSTS binds a domain and its
 * subdomains for a year, which is the decision of the operator, whose proxy terminates TLS.
 */
const ANSWERS = {
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
};

interface Entrance {
  identity: IdentityParts;
  oidc: Oidc;
}

function requestBudgets(
  { config, redis, log }: ApiDeps,
  { authenticate }: IdentityParts,
): RequestHandler {
  return limitRequests({
    redis,
    // An invalid credential counts as none here; the route itself reports what is wrong with it.
    principal: (request) => authenticate(request).catch(() => null),
    perAddress: config.RATE_LIMIT_PER_MINUTE,
    perAccount: config.RATE_LIMIT_ACCOUNT_PER_MINUTE,
    log,
  });
}

function assemble(deps: Connections, { identity, oidc }: Entrance, stopping: AbortSignal) {
  const { config } = deps;
  const shared = shareParts(deps, identity);
  const service = openStaging(deps, shared);
  const events = openEvents(deps, shared, stopping);
  const reasons = openReasons(shared);
  const reviews = openReviews(deps, shared, service);
  const system = versionAndHealthRoutes(deps, shared, stopping);
  const holds = createHolds();
  const mirrors = openMirrors(deps, shared, holds);
  const routes = [
    ...accountRoutes(deps, shared, { oidc, discardJobsOf: service.discardJobsOf }),
    ...registryAndImageRoutes(deps, shared),
    ...stagingAndReportRoutes(deps, shared, { service, events, reasons }),
    ...transferAndScheduleRoutes(deps, shared, { events, reasons }),
    ...waiversRoutes(deps, shared, service),
    ...reviews.routes,
    ...policiesRoutes(deps, shared),
    ...authoritiesRoutes(shared),
    ...networkSettingRoutes(deps, shared),
    ...webhooksRoutes(deps, shared),
    ...auditAndProcessRoutes(deps, shared),
    ...scannerAndMaintenanceRoutes(deps, shared),
    ...system.filter(({ operation }) => !operation.probe),
  ];
  const kit: Kit = {
    authenticate: identity.authenticate,
    audit: {
      tell: deps.audit.tell,
      end: deps.audit.end,
      scope: shared.store.outbox.scope,
    },
    turns: createAccountTurns(),
    publicUrl: config.PUBLIC_URL ?? null,
    idempotencySecret: deriveKey(deps.secretKey, 'idempotency'),
    checkReplies: deps.checkReplies ?? false,
  };
  return {
    keeper: shared.keeper,
    mark: shared.mark,
    reviewPushes: reviews.pushes,
    imageGate: shared.imageGate,
    probes: system.filter(({ operation }) => operation.probe),
    routes,
    kit,
    v2: registryRouter(deps, shared, { holds, mirrors: mirrors.door }),
    dueChecks: mirrors.dueChecks,
    admission: openAdmission(deps, shared),
  };
}

const TAG_PATIENCE_MS = 30_000;

function registryRouter(
  deps: Connections,
  shared: Shared,
  { holds, mirrors }: { holds: Holds; mirrors: MirrorReads },
) {
  const { config, secretKey, redis, audit, log } = deps;
  const { store, identity, keeper, registryLock, access } = shared;
  return createV2({
    accounts: identity.registryAccounts,
    registryUrl: config.REGISTRY_URL,
    storeOrigins: config.REGISTRY_STORE_ORIGINS,
    publicUrl: (request) => publicUrlOf(request, config.PUBLIC_URL ?? null),
    tokenKey: deriveV2Key(secretKey),
    audience: config.PUBLIC_URL === undefined ? SERVICE_NAME : serviceOf(config.PUBLIC_URL),
    knownFolders: identity.principals.knownFolders,
    publishAudit: audit.tell,
    auditChanges: { scope: store.outbox.scope, end: audit.end },
    referrers: store.referrers,
    images: {
      names: store.images.names,
      tagPage: isIndexComplete(config) ? store.images.tagPage : async () => null,
    },
    manifests: keeper,
    ownStatements: {
      statementsIn: statementLayers(store.signingKeys.everyPublicKey),
      open: access.openLocal,
    },
    removeTag: (repository, tag) =>
      translateErrors(
        { registry: null, missing: ['MANIFEST_UNKNOWN', 'there is no such tag'] },
        () =>
          access
            .openLocal(repository)
            .removeTag(tag, { signal: AbortSignal.timeout(TAG_PATIENCE_MS) }),
      ),
    ...(config.RATE_LIMIT_ENABLED && {
      spendOnManifest: createManifestBudget({
        redis,
        perMinute: config.RATE_LIMIT_ACCOUNT_PER_MINUTE,
        log,
      }),
    }),
    uploads: createUploadStates(redis, log),
    storage: shared.storage,
    ...storageOf(deps),
    pulls: createPulls(createPullMemory(redis, log)),
    pullGate: openPullGate(deps, shared, holds),
    mirrors,
    immutableTags: shared.gates.immutableTags,
    folderQuotas: shared.gates.folderQuotas,
    registryLock,
    log,
  });
}

/** Whether nothing but Portcullis writes to the registry. */
function isIndexComplete({ REGISTRY_STORAGE, REGISTRY_EVENTS_SECRET }: Connections['config']) {
  return REGISTRY_STORAGE !== undefined && REGISTRY_EVENTS_SECRET === undefined;
}

/** What this process does with the registry's storage, where it is a directory of this machine. */
function storageOf({ config, log }: Connections) {
  const { REGISTRY_STORAGE: dir, DISK_RESERVE: reserve } = config;
  if (dir === undefined) return { disk: null, storedUploads: null };
  const failed = () =>
    log.warn(
      'REGISTRY_STORAGE is not the storage of the registry at REGISTRY_URL; from now on the registry receives all uploads',
    );
  return {
    disk: diskSpace(dir, reserve),
    storedUploads: storedUploads(dir, failed),
  };
}

/** Sends the instance mark that own-hosts.ts of packages/registry-access checks. */
function markReply(mark: string): RequestHandler {
  return (_, response, next) => {
    response.setHeader(MARK_HEADER, mark);
    next();
  };
}
