/** Serves staging jobs: their lists, orders, reports and events. */
import { contract, type InputOf } from '@portcullis/contract';
import {
  isSettled,
  ownName,
  type Principal,
  type StagingJob,
  type ThreatFeeds,
} from '@portcullis/domain';
import type { JobConditions, JobSummary, Store } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { AccessRights } from '../../identity/rights.ts';
import type { BulkJobs } from './bulk/bulk-jobs.ts';
import type { DockerHub } from './docker-hub.ts';
import { type EventPorts, streamEvents } from './events-stream.ts';
import type { NewFindingsService } from './new-findings.ts';
import { pullOrder, pushOrder, sourceOrder } from './orders.ts';
import type { PassingTagsService } from './passing-tags.ts';
import { presentJob, presentJobReview, presentJobSummary, presentPreview } from './present.ts';
import type { Reports } from './reports.ts';
import type { StagingService } from './service.ts';
import type { SourceTags } from './source-tags.ts';
import { type ElsewherePorts, standingsElsewhere } from './standings/elsewhere.ts';
import type { JobStandings } from './standings/job-standings.ts';
import { type LastDestinationPorts, lastDestinationOf } from './standings/last-destination.ts';
import { whenChanged } from './wait.ts';

export interface StagingRoutePorts {
  service: StagingService;
  bulk: BulkJobs;
  rights: AccessRights;
  hub: DockerHub;
  sources: SourceTags;
  reports: Reports;
  newFindings: NewFindingsService;
  passingTags: PassingTagsService;
  events: EventPorts;
  reviews: Pick<Store['reviews'], 'ofJob'>;
  standings: JobStandings;
  /** Where the caller could push to: for what is proposed and compared. */
  places: ElsewherePorts & LastDestinationPorts;
  feeds(): ThreatFeeds;
  now(): Date;
}

export function stagingRoutes({
  service,
  bulk,
  rights,
  hub,
  sources,
  reports,
  newFindings,
  passingTags,
  events,
  reviews,
  standings,
  places,
  feeds,
  now,
}: StagingRoutePorts): Route[] {
  async function accept(call: ApiCall<Principal>, job: StagingJob) {
    aboutJob(call, job);
    call.header('Location', `/api/staging/jobs/${job.id}`);
    return presentJob(job, feeds(), await standings.of(call.principal, job));
  }

  return implement(contract.staging, {
    async searchDockerHub({ query }, call) {
      await rights.assert(call.principal, { action: 'pull_external' });
      return hub.search(query.q, query.page);
    },

    async listDockerHubTags({ query }, call) {
      await rights.assert(call.principal, { action: 'pull_external' });
      return hub.tags(query.image);
    },

    async listSourceTags({ query: { q, limit, cursor }, body }, call) {
      call.note({ image: body.image, host: body.source_registry_host });
      const query = { q: q || undefined, limit, cursor, left: call.signal };
      const { items, next = null } = await sources.list(call.principal, sourceOrder(body), query);
      announcePage(call, { nextCursor: next, total: null });
      return items;
    },

    async pull({ body }, call) {
      call.note({ image: body.image, tag: body.tag });
      const job = await service.requestPull(call.principal, pullOrder(body), call);
      return accept(call, job);
    },

    async getLastDestination(_, { principal }) {
      return { destination: await lastDestinationOf(principal, places) };
    },

    async push({ body }, call) {
      call.about({ kind: 'staging_job', id: body.job_id, name: null });
      call.note({
        target_image: body.target_image,
        target_tag: body.target_tag,
        folder: body.folder ?? null,
        registry: body.external_registry_id ?? null,
        host: body.external_registry_host ?? null,
      });
      const order = {
        ...pushOrder(body),
        password: body.external_registry_password ?? null,
        bypass: { allowed: body.bypass_gate, reason: body.bypass_reason ?? null },
      };
      return accept(call, await service.requestPush(call.principal, body.job_id, order, call));
    },

    async previewPush({ query }, call) {
      return presentPreview(
        await service.previewPush(call.principal, query.job_id, pushOrder(query)),
      );
    },

    async listJobs({ query }, call) {
      const { limit, cursor, sort: order } = query;
      const page = await service.listJobs(call.principal, {
        ...conditionsOf(query),
        ...{ limit, cursor, order },
      });
      announcePage(call, page);
      const standing = await standings.ofAll(call.principal, page.items);
      return page.items.map((job) => presentJobSummary(job, standing.get(job.id)));
    },

    async bulkJobs({ body }, call) {
      const jobs = 'ids' in body ? { ids: body.ids } : { conditions: conditionsOf(body.filter) };
      const { action } = body;
      call.note({ action });
      const result = await bulk.run(call.principal, { action, jobs }, ({ id, image, tag }) =>
        call.part(`staging.${action}`, { kind: 'staging_job', id, name: `${image}:${tag}` }),
      );
      const { done, refused, failed } = result;
      call.note({ done, refused, failed });
      const reasons = result.reasons.map(({ items, ...why }) => ({ ...why, job_ids: items }));
      return { ...result, reasons };
    },

    async getJob({ params, query }, call) {
      const { principal, signal } = call;
      const job = await whenChanged(
        {
          ...{ seconds: query.wait, principal, signal },
          read: (reader) => service.visibleJob(reader, params.job_id),
          statusOf: ({ status }) => status,
          isFinal: ({ status }) => isSettled(status),
          concerns: ({ jobId }, { id }) => jobId === id,
        },
        events,
      );
      const asked = await reviews.ofJob(job.id);
      const standing = await standings.of(principal, job);
      const about = { job, standing };
      return {
        ...presentJob(job, feeds(), standing),
        elsewhere: await standingsElsewhere(principal, about, places),
        reviews: asked.map((each) => presentJobReview(each, now())),
      };
    },

    async removeJob({ params }, call) {
      call.about({ kind: 'staging_job', id: params.job_id, name: null });
      aboutJob(call, await service.removeJob(call.principal, params.job_id));
    },

    async cancelJob({ params }, call) {
      call.about({ kind: 'staging_job', id: params.job_id, name: null });
      return accept(call, await service.cancelJob(call.principal, params.job_id));
    },

    async retryJob({ params }, call) {
      call.about({ kind: 'staging_job', id: params.job_id, name: null });
      return accept(call, await service.retryJob(call.principal, params.job_id));
    },

    async listNewFindings({ params }, { principal }) {
      return newFindings.list(principal, await service.visibleJob(principal, params.job_id));
    },

    async listPassingTags({ params, query }, { principal }) {
      const job = await service.visibleJob(principal, params.job_id);
      return passingTags.list(principal, job, {
        folder: query.folder ?? null,
        registryId: query.external_registry_id ?? null,
        targetImage: query.target_image ?? ownName(job.image),
      });
    },

    async downloadReport({ params, query }, call) {
      const job = await service.visibleJob(call.principal, params.job_id);
      await reports.send(job, { format: query.format, platform: query.platform ?? null }, call);
    },

    async listReportPlatforms({ params }, call) {
      return reports.platforms(await service.visibleJob(call.principal, params.job_id));
    },

    async streamEvents(_, call) {
      await streamEvents(call, events);
    },
  });
}

type JobsQuery = Omit<
  InputOf<typeof contract.staging.listJobs>['query'],
  'limit' | 'cursor' | 'sort'
>;

function conditionsOf({
  owner,
  status,
  verdict,
  q,
  blocked,
  since,
  until,
}: JobsQuery): JobConditions {
  return {
    ...{ ownerName: owner, status, verdict, q, blocked },
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

function aboutJob(call: ApiCall, { id, image, tag }: JobSummary): void {
  call.about({ kind: 'staging_job', id, name: `${image}:${tag}` });
}
