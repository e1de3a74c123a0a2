/** Puts together the ways of an image: staging jobs and the transfers that are made of them. */
import { publishProgress, subscribeProgress } from '@portcullis/events';
import type { ApiDeps } from '../app.ts';
import { createDockerHub } from '../features/staging/docker-hub.ts';
import { createReportFiles } from '../features/staging/report-files.ts';
import { createReports } from '../features/staging/reports.ts';
import { stagingRoutes } from '../features/staging/routes.ts';
import { createStagingService, type StagingService } from '../features/staging/service.ts';
import { createSourceTags } from '../features/staging/source-tags.ts';
import { createStreamPlaces } from '../features/staging/stream-places.ts';
import { createTransferEnds } from '../features/transfers/ends.ts';
import { createPlanner } from '../features/transfers/plan.ts';
import { transferRoutes } from '../features/transfers/routes.ts';
import { createScheduleService, ownerOf } from '../features/transfers/schedules.ts';
import { createTransferService } from '../features/transfers/service.ts';
import type { Route } from '../http/implement.ts';
import type { Shared } from './shared.ts';

export function openStaging(deps: ApiDeps, shared: Shared): StagingService {
  return createStagingService({
    ...shared,
    locate: shared.access.locate,
    store: deps.store,
    queues: deps.queues,
    async scanDatabase() {
      const { available, db } = await shared.scanner.facts();
      return available ? (db?.updatedAt ?? null) : null;
    },
    announce: (message) => publishProgress(deps.redis, message),
    log: deps.log,
  });
}

export interface StagingParts {
  service: StagingService;
  /** Ends the streams of events. */
  stopping: AbortSignal;
}

export function stagingAndReportRoutes(
  { config, store, redis, egress, queues }: ApiDeps,
  shared: Shared,
  { service, stopping }: StagingParts,
): Route[] {
  const { identity, rights, access, storages } = shared;
  return stagingRoutes({
    service,
    rights,
    sources: createSourceTags({ ...shared, locate: access.locate }),
    hub: createDockerHub({ apiUrl: config.DOCKERHUB_API_URL, transport: egress.configured, redis }),
    reports: createReports(
      createReportFiles({
        kept: store.jobReports,
        convert: (jobId, format, platform) =>
          queues.enqueue({
            name: 'convert-report',
            jobId,
            format,
            ...(platform !== null && { platform }),
          }),
        takeOver: ({ id: jobId, storageId }) =>
          queues.enqueue({ name: 'keep-reports', jobId }, { storageId }),
        scanner: { state: storages.scanner },
      }),
    ),
    events: {
      subscribe: (options) => subscribeProgress(redis, options),
      findJob: (id) => store.jobs.find(id),
      current: identity.current,
      places: createStreamPlaces(),
      stopping,
    },
  });
}

const PLAN_DEADLINE_MS = 20_000;

export function transferAndScheduleRoutes(deps: ApiDeps, shared: Shared): Route[] {
  const { principals } = shared.identity;
  const ports = { ...deps, ...shared, locate: shared.access.locate, folders: principals.folders };
  return transferRoutes({
    service: createTransferService(ports),
    schedules: createScheduleService({
      ...ports,
      owner: (id) => ownerOf(principals, id),
      leastSeconds: deps.config.SCHEDULE_MIN_SECONDS,
      now: () => new Date(),
    }),
    plan: createPlanner({
      ...ports,
      ends: createTransferEnds(shared.access),
      deadlineMs: PLAN_DEADLINE_MS,
    }),
  });
}
