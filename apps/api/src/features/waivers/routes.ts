/** Serves waivers, their reviews, and OpenVEX documents. */
import { contract } from '@portcullis/contract';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import type { FindingWaivers } from './of-findings.ts';
import { presentWaiver } from './present.ts';
import type { ShownWaiver, WaiversService } from './service.ts';
import type { VexService } from './vex.ts';

export function waiverRoutes(
  service: WaiversService,
  vex: VexService,
  findings: FindingWaivers,
): Route[] {
  const present = (shown: ShownWaiver) => presentWaiver(shown, service.approvalsNeeded);

  return implement(contract.waivers, {
    async list({ query }, call) {
      const { requested_by: requestedBy, since, until, ends_after, ends_before, ...rest } = query;
      const page = await service.list(call.principal, {
        ...{ ...rest, requestedBy, since: dateOf(since), until: dateOf(until) },
        ...{ endsAfter: dateOf(ends_after), endsBefore: dateOf(ends_before) },
      });
      announcePage(call, page);
      return page.items.map(present);
    },

    async ofFindings({ query: { job_id: job, repository = '', reference = '' } }, call) {
      const found =
        job === undefined
          ? await findings.ofImage(call.principal, { repository, reference })
          : await findings.ofJob(call.principal, job);
      return found.map(present);
    },

    async request({ body }, call) {
      call.about({ kind: 'waiver', id: null, name: body.vulnerability });
      call.note(body);
      const { expires_at: end, package_version: packageVersion, ...rest } = body;
      const asked = { ...rest, packageVersion, expiresAt: new Date(end) };
      const shown = await service.request(call.principal, asked);
      about(call, shown);
      call.header('Location', `/api/waivers/${shown.waiver.id}`);
      return present(shown);
    },

    async preview({ body }, call) {
      call.about({ kind: 'waiver', id: null, name: body.vulnerability });
      const { package_version: packageVersion, ...scope } = body;
      return service.preview(call.principal, { ...scope, packageVersion });
    },

    async importVex({ query: { folder = null, days }, body }, call) {
      call.about({ kind: 'vex_document', id: null, name: body['@id'].slice(0, 255) });
      const { waivers, skipped } = await vex.importVex(call.principal, body, { folder, days });
      const ids = waivers.slice(0, MOST_NOTED).map(({ waiver }) => waiver.id);
      const { author } = body;
      call.note({
        author,
        folder,
        requested: waivers.length,
        skipped: skipped.length,
        waivers: ids,
      });
      return { waivers: waivers.map(present), skipped };
    },

    async exportVex({ query: { folder, repository = '', reference = '' } }, call) {
      return folder === undefined
        ? vex.ofImage(call.principal, { repository, reference })
        : vex.ofFolder(call.principal, folder);
    },

    async attachVex({ body }, call) {
      call.about({ kind: 'image', id: null, name: body.repository });
      call.note({ reference: body.reference });
      await call.intend();
      const attached = await vex.attach(call.principal, body);
      call.note(attached);
      return attached;
    },

    async get({ params }, call) {
      return present(await service.get(call.principal, params.id));
    },

    covered: ({ params }, call) => service.covered(call.principal, params.id),

    async approve({ params: { id } }, call) {
      noteId(call, id);
      const shown = await service.approve(call.principal, id);
      about(call, shown);
      const { state, approvals } = shown.waiver;
      call.note({ state, approvals: approvals.length, needed: service.approvalsNeeded });
      return present(shown);
    },

    async reject({ params: { id }, body: { reason } }, call) {
      noteId(call, id);
      call.note({ reason });
      const shown = await service.reject(call.principal, id, reason);
      about(call, shown);
      return present(shown);
    },

    async revoke({ params: { id }, body: { reason } }, call) {
      noteId(call, id);
      call.note({ reason });
      const shown = await service.revoke(call.principal, id, reason);
      about(call, shown);
      return present(shown);
    },
  });
}

const MOST_NOTED = 100;

/** Notes the given id; the rest is known after the waiver is found. */
function noteId(call: ApiCall, id: string): void {
  call.about({ kind: 'waiver', id, name: null });
}

function about(call: ApiCall, { waiver }: ShownWaiver): void {
  const { id, vulnerability: name, folder } = waiver;
  call.about({ kind: 'waiver', id, name, ...(folder !== null && { folder }) });
}

function dateOf(moment: string | undefined): Date | undefined {
  return moment === undefined ? undefined : new Date(moment);
}
