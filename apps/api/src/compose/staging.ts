/** Routes of staging jobs, reports, transfers and schedules. */
import { publishProgress, subscribeProgress } from '@portcullis/events';
import { createReasons, type Reasons } from '../features/reports/blocked-reasons.ts';
import { createTransferReports } from '../features/reports/transfer-report.ts';
import { createBulkJobs } from '../features/staging/bulk/bulk-jobs.ts';
import { createDockerHub } from '../features/staging/docker-hub.ts';
import type { EventPorts } from '../features/staging/events-stream.ts';
import { createNewFindings } from '../features/staging/new-findings.ts';
import { createPassingTags } from '../features/staging/passing-tags.ts';
import { createReportFiles, type ReportFilesPorts } from '../features/staging/report-files.ts';
import { createReports } from '../features/staging/reports.ts';
import { stagingRoutes } from '../features/staging/routes.ts';
import { createStagingService, type StagingService } from '../features/staging/service.ts';
import { createSourceGate } from '../features/staging/source-gate.ts';
import { createSourceTags } from '../features/staging/source-tags.ts';
import {
  createJobStandings,
  type JobStandings,
} from '../features/staging/standings/job-standings.ts';
import { createStreamLimit } from '../features/staging/stream-limit.ts';
import { createTokenReach } from '../features/staging/token-reach.ts';
import { createTransferEnds } from '../features/transfers/open-ends.ts';
import { createPlanner } from '../features/transfers/plan.ts';
import { createPlanDecisions, createPlanWaits } from '../features/transfers/plan-decisions.ts';
import { createTagRefusal } from '../features/transfers/plan-tags.ts';
import { transferRoutes } from '../features/transfers/routes.ts';
import { createScheduleService, ownerOf } from '../features/transfers/schedules.ts';
import { createTransferService } from '../features/transfers/service.ts';
import type { Route } from '../http/implement.ts';
import type { Connections, Shared } from './shared.ts';

const RESOLVE_MS = 10_000;

export function openStaging({ queues, redis, log }: Connections, shared: Shared): StagingService {
  const { store, rights, access, ownHosts, policy, gates, publicHost, assertJobs } = shared;
  return createStagingService({
    store,
    queues,
    rights,
    locate: access.locate,
    ownHosts,
    policy,
    assertSource: createSourceGate({
      copyGate: gates.copyGate,
      async resolve(repository, reference) {
        const signal = AbortSignal.timeout(RESOLVE_MS);
        return (await access.openLocal(repository).resolve(reference, { signal })).digest;
      },
      log,
    }),
    gates,
    publicHost,
    assertJobs,
    announce: (message) => publishProgress(redis, message),
    log,
  });
}

export interface StagingParts {
  service: StagingService;
  events: EventPorts;
  reasons: Reasons;
}

export function openReasons({ store, gates, identity: { principals } }: Shared): Reasons {
  return createReasons({ jobs: store.jobs, pushGate: gates.pushGate, folders: principals.folders });
}

export function openStandings({
  store,
  gates,
  rights,
  identity: { principals },
}: Shared): JobStandings {
  return createJobStandings({
    jobs: store.jobs,
    pushGate: gates.pushGate,
    rights,
    folders: principals.folders,
    now: () => new Date(),
  });
}

/** @param stopping ends streams and waits */
export function openEvents(
  { redis }: Connections,
  shared: Shared,
  stopping: AbortSignal,
): EventPorts {
  const { store, identity } = shared;
  return {
    subscribe: (options) => subscribeProgress(redis, options),
    findJob: (id) => store.jobs.find(id),
    standingOf: openStandings(shared).of,
    current: identity.current,
    reach: createTokenReach({ ...store, folders: identity.principals.folders }),
    streams: createStreamLimit(),
    stopping,
  };
}

export function stagingAndReportRoutes(
  { config, redis, egress, queues, feeds, log }: Connections,
  shared: Shared,
  { service, events, reasons }: StagingParts,
): Route[] {
  const { store, rights, access, ownHosts, publicHost, storages, gates, identity } = shared;
  return stagingRoutes({
    service,
    bulk: createBulkJobs({
      store,
      queues,
      announce: (message) => publishProgress(redis, message),
      log,
    }),
    rights,
    sources: createSourceTags({ rights, access, ownHosts, publicHost }),
    hub: createDockerHub({ apiUrl: config.DOCKERHUB_API_URL, transport: egress.configured, redis }),
    reports: createReports(
      createReportFiles({
        ...conversions(queues, { store, storages }),
        takeOver: ({ id: jobId, storageId }) =>
          queues.enqueue({ name: 'keep-reports', jobId }, { storageId }),
      }),
      reasons,
    ),
    newFindings: createNewFindings(store),
    passingTags: createPassingTags({
      jobs: store.jobs,
      rights,
      resolution: { locate: access.locate, ownHosts, publicHost, folders: store.folders },
      pushGate: gates.pushGate,
    }),
    events,
    reviews: store.reviews,
    standings: openStandings(shared),
    places: {
      jobs: store.jobs,
      pushGate: gates.pushGate,
      rights,
      locate: access.locate,
      folders: identity.principals.folders,
    },
    feeds: feeds.current,
    now: () => new Date(),
  });
}

function conversions(
  queues: Connections['queues'],
  { store, storages }: Pick<Shared, 'store' | 'storages'>,
): Omit<ReportFilesPorts, 'takeOver'> {
  return {
    kept: store.jobReports,
    convert: (jobId, format, platform) =>
      queues.enqueue({
        name: 'convert-report',
        jobId,
        format,
        ...(platform !== null && { platform }),
      }),
    scanner: { state: storages.scanner },
  };
}

const PLAN_DEADLINE_MS = 20_000;

export function transferAndScheduleRoutes(
  { config, queues, redis, log }: Connections,
  shared: Shared,
  { events, reasons }: Pick<StagingParts, 'events' | 'reasons'>,
): Route[] {
  const { store, storages, access, ownHosts, publicHost, policy, gates, assertJobs } = shared;
  const { principals } = shared.identity;
  const resolution = {
    locate: access.locate,
    ownHosts,
    publicHost,
    knownFolders: principals.knownFolders,
    policy,
  };
  return transferRoutes({
    service: createTransferService({
      ...{ resolution, store, queues, assertJobs, log, reach: events.reach },
      announce: (message) => publishProgress(redis, message),
    }),
    schedules: createScheduleService({
      resolution,
      store,
      queues,
      log,
      owner: (id) => ownerOf(principals, id),
      leastSeconds: config.SCHEDULE_MIN_SECONDS,
      now: () => new Date(),
    }),
    plan: createPlanner({
      resolution,
      ends: createTransferEnds(access),
      decisions: createPlanDecisions({
        reports: store.reports,
        images: store.images,
        pushGate: gates.pushGate,
        folders: principals.folders,
      }),
      waits: createPlanWaits({
        sightings: store.sightings,
        pushGate: gates.pushGate,
        folders: principals.folders,
      }),
      tagRefusal: createTagRefusal(gates.immutableTags),
      deadlineMs: PLAN_DEADLINE_MS,
    }),
    reports: createTransferReports({
      ...conversions(queues, { store, storages }),
      kept: store.jobReports,
      transfers: store.transfers,
      reasons,
    }),
    standings: openStandings(shared),
    events: { ...events, transfers: store.transfers },
  });
}
