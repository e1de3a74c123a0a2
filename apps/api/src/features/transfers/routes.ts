/** Serves transfers: their plans, orders, reports and schedules. */
import {
  contract,
  type ScheduleView,
  type TransferRequest,
  type TransfersQuery,
} from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import type { Schedule, Transfer, TransferFilter } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { TransferReports } from '../reports/transfer-report.ts';
import type { JobStandings } from '../staging/standings/job-standings.ts';
import { whenChanged } from '../staging/wait.ts';
import type { TransferPlanner } from './plan.ts';
import { presentDetail, presentSchedule, presentTransfer } from './present.ts';
import type { ScheduleService } from './schedules.ts';
import { statusOf, type TransferService } from './service.ts';
import { streamTransferEvents, type TransferEventPorts } from './transfer-events.ts';

export interface TransferRoutePorts {
  service: TransferService;
  schedules: ScheduleService;
  plan: TransferPlanner;
  reports: TransferReports;
  standings: Pick<JobStandings, 'ofAll'>;
  events: TransferEventPorts;
}

export function transferRoutes({
  service,
  schedules,
  plan,
  reports,
  standings,
  events,
}: TransferRoutePorts): Route[] {
  async function presentAll(rows: readonly Schedule[]): Promise<ScheduleView[]> {
    const runs = await schedules.recentRuns(rows.map(({ id }) => id));
    return rows.map((schedule) => presentSchedule(schedule, runs.get(schedule.id) ?? []));
  }

  async function present(schedule: Schedule): Promise<ScheduleView> {
    const runs = await schedules.recentRuns([schedule.id]);
    return presentSchedule(schedule, runs.get(schedule.id) ?? []);
  }

  /** Records the name, because the id is meaningless after the deletion. */
  async function aboutSchedule(call: ApiCall<Principal>, id: string): Promise<void> {
    call.about({ kind: 'transfer_schedule', id, name: null });
    const { name } = await schedules.visible(call.principal, id);
    call.about({ kind: 'transfer_schedule', id, name });
  }

  return implement(contract.transfers, {
    async transfer({ body }, call) {
      aboutEnds(call, body);
      const about = (id: string) => call.about({ kind: 'transfer', id, name: endsOf(body) });
      const options = { idempotency: call.idempotency, about };
      const { id, jobIds } = await service.submit(call.principal, body, options);
      about(id);
      call.header('Location', `/api/transfer/jobs/${id}`);
      return { transfer_id: id, job_ids: jobIds, count: jobIds.length };
    },

    async planTransfer({ body }, call) {
      aboutEnds(call, body);
      return plan(call.principal, body, call.signal);
    },

    async listTransfers({ query }, call) {
      const page = await service.list(call.principal, filterOf(query));
      announcePage(call, page);
      return page.items.map(presentTransfer);
    },

    async getTransfer({ params, query }, call) {
      const { principal, signal } = call;
      const { wait: seconds, ...paging } = query;
      const { transfer, jobs } = await whenChanged(
        {
          ...{ seconds, principal, signal },
          read: (reader) => service.detail(reader, params.id, paging),
          statusOf: ({ transfer }) => statusOf(transfer),
          isFinal: ({ transfer }) => statusOf(transfer) !== 'running',
          concerns: ({ ownerId }, { transfer }) => ownerId === transfer.ownerId,
        },
        events,
      );
      announcePage(call, jobs);
      const [images, known] = await Promise.all([
        service.images(transfer),
        standings.ofAll(principal, jobs.items),
      ]);
      return presentDetail({ transfer, images, jobs: jobs.items, standings: known });
    },

    async streamTransferEvents(_, call) {
      await streamTransferEvents(call, events);
    },

    async downloadTransferReport({ params, query }, call) {
      const transfer = await service.visible(call.principal, params.id);
      await reports.send(transfer, query.format, call.response);
    },

    async removeTransfer({ params }, call) {
      call.about({ kind: 'transfer', id: params.id, name: null });
      await service.remove(call.principal, params.id);
    },

    async cancelTransfer({ params }, call) {
      return accept(call, await service.cancel(call.principal, params.id));
    },

    async retryTransfer({ params, query }, call) {
      return accept(call, await service.retryFailed(call.principal, params.id, query.only));
    },

    async listSchedules({ query }, call) {
      const page = await schedules.list(call.principal, query);
      announcePage(call, page);
      return presentAll(page.items);
    },

    async createSchedule({ body }, call) {
      call.note({ name: body.name, cron: body.cron, timezone: body.timezone });
      const schedule = await schedules.create(call.principal, body);
      call.about({ kind: 'transfer_schedule', id: schedule.id, name: schedule.name });
      call.header('Location', `/api/transfer/schedules/${schedule.id}`);
      return present(schedule);
    },

    async previewSchedule({ query }) {
      return { next_runs: schedules.preview(query).map((time) => time.toISOString()) };
    },

    async getSchedule({ params }, call) {
      return present(await schedules.visible(call.principal, params.id));
    },

    async updateSchedule({ params, body }, call) {
      await aboutSchedule(call, params.id);
      call.note({ changed: Object.keys(body) });
      return present(await schedules.update(call.principal, params.id, body));
    },

    async removeSchedule({ params }, call) {
      await aboutSchedule(call, params.id);
      await schedules.remove(call.principal, params.id);
    },

    async runSchedule({ params }, call) {
      await aboutSchedule(call, params.id);
      await call.intend();
      return present(await schedules.run(call.principal, params.id));
    },
  });
}

function filterOf({ owner, since, until, ...query }: TransfersQuery): TransferFilter {
  return {
    ...query,
    ownerName: owner,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** Records source, destination and the number of images, also for a denial. */
function aboutEnds(call: ApiCall, body: TransferRequest): void {
  call.about({ kind: 'transfer', id: null, name: endsOf(body) });
  call.note({
    images: body.images.length,
    source: body.source_registry_id ?? 'dockerhub',
    destination: body.dest_registry_id ?? LOCAL_REGISTRY_ID,
    folder: body.dest_folder ?? null,
    repositories: [...new Set(body.images.map(({ repository }) => repository))].slice(0, NAMED),
  });
}

/** The number of repositories named in an event; a transfer may have a thousand. */
const NAMED = 10;

function endsOf({
  source_registry_id: source,
  dest_registry_id: destination,
  dest_folder: folder,
}: TransferRequest) {
  return `${source ?? 'dockerhub'} to ${destination ?? LOCAL_REGISTRY_ID}${folder ? `/${folder}` : ''}`;
}

function accept(call: ApiCall, transfer: Transfer) {
  call.about({ kind: 'transfer', id: transfer.id, name: null });
  call.header('Location', `/api/transfer/jobs/${transfer.id}`);
  return presentTransfer(transfer);
}
