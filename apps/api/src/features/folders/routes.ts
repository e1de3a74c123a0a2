/** Serves folders, their grants, overviews, retention and mirrors. */
import {
  changedValues,
  contract,
  FolderChange,
  fromWire,
  NewPermission,
  NewTagRetention,
} from '@portcullis/contract';
import type { Folder } from '@portcullis/store';
import type { ApiCall } from '../../http/call.ts';
import { publicUrlOf } from '../../http/client/public-url.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage, presentPage } from '../../http/paging.ts';
import { presentFindingDays } from '../dashboard/present-finding-days.ts';
import {
  presentMirror,
  presentSummary as presentMirrorSummary,
  presentTag,
} from './mirror/present.ts';
import type { MirrorService } from './mirror/service.ts';
import type { FolderOverviewService } from './overviews.ts';
import {
  presentExplanation,
  presentFolder,
  presentNamedGate,
  presentOverview,
  presentSettings,
  presentSummary,
} from './present.ts';
import { presentPreview, presentRetention } from './retention/present.ts';
import type { RetentionService } from './retention/service.ts';
import type { FolderService } from './service.ts';

interface FolderServices {
  service: FolderService;
  overviews: FolderOverviewService;
  retention: RetentionService;
  mirrors: MirrorService;
  publicUrl: string | null;
}

export function folderRoutes({
  service,
  overviews,
  retention,
  mirrors,
  publicUrl,
}: FolderServices): Route[] {
  return implement(contract.folders, {
    async listFolders({ query }, call) {
      const page = await service.list(query);
      announcePage(call, page);
      return page.items.map(presentFolder);
    },

    async createFolder({ body }, call) {
      call.note(body);
      const folder = await service.create({
        name: body.name,
        ...fromWire(FolderChange, body),
      });
      call.header('Location', `/api/folders/${folder.id}`);
      about(call, folder);
      return presentFolder(folder);
    },

    async listPullable(_, call) {
      return service.namesFor(call.principal, 'pull');
    },

    async listPushable(_, call) {
      return service.pushableFor(call.principal);
    },

    async listWritable(_, call) {
      return service.namesFor(call.principal, 'push');
    },

    async listAskable(_, call) {
      return service.askableFor(call.principal);
    },

    async listPullableExternal(_, call) {
      return service.namesFor(call.principal, 'pull_external');
    },

    async listPushableExternal(_, call) {
      return service.namesFor(call.principal, 'push_external');
    },

    async listFolderNames() {
      return service.names();
    },

    async listFolderSummaries(_, call) {
      return (await overviews.list(call.principal)).map(presentSummary);
    },

    async getFolderOverview({ params }, call) {
      return presentOverview(await overviews.get(call.principal, params.folder_id));
    },

    async listFolderImages({ params, query }, call) {
      const { page, page_size: pageSize, standing, q, sort } = query;
      const asked = { page, pageSize, standing, q, sort };
      return presentPage(await overviews.images(call.principal, params.folder_id, asked), asked);
    },

    async getFolderTrend({ params, query }, call) {
      const { repository = null } = query;
      const { days, asOf } = await overviews.trend(call.principal, params.folder_id, repository);
      return { perDay: presentFindingDays(days, asOf) };
    },

    async getRetention({ params }, call) {
      return presentRetention(await retention.get(call.principal, params.folder_id));
    },

    async previewRetention({ params, body }, call) {
      aboutName(call, params);
      call.note(body);
      const rule = body.retention && fromWire(NewTagRetention, body.retention);
      const found = await retention.preview(params.folder_id, rule);
      about(call, found.folder);
      call.note({ tags_kept: found.tagsKept, tags_removed: found.tagsRemoved });
      return presentPreview(found);
    },

    async runRetention({ params }, call) {
      aboutName(call, params);
      const started = await retention.start(call.principal, params.folder_id);
      about(call, started.folder);
      return presentRetention(started);
    },

    async listMirrors(_, call) {
      return (await mirrors.list(call.principal)).map(presentMirrorSummary);
    },

    async getMirror({ params }, call) {
      const mirror = await mirrors.get(call.principal, params.folder_id);
      return { mirror: mirror && presentMirror(mirror) };
    },

    async listMirrorTags({ params, query }, call) {
      const { page, page_size: pageSize, state, q, sort } = query;
      const asked = { page, pageSize, state, q, sort };
      const { items, total } = await mirrors.tags(call.principal, params.folder_id, asked);
      return presentPage(
        { items: items.map((tag) => presentTag(tag, call.principal)), total },
        asked,
      );
    },

    async getMirrorConfig({ params, query: { client, ca = null } }, call) {
      const gate = { url: publicUrlOf(call.request, publicUrl), caFile: ca };
      return mirrors.config(call.principal, params.folder_id, client, gate);
    },

    async explainAccess({ query }) {
      return presentExplanation(
        await service.explain(query.user_id, query.action, query.repository),
      );
    },

    async getFolder({ params }) {
      return presentFolder(await service.get(params.folder_id));
    },

    async getFolderGate({ params }, call) {
      return presentNamedGate(await service.gate(call.principal, params.folder_id));
    },

    async updateFolder({ params, body }, call) {
      aboutName(call, params);
      const { before, after } = await service.update(
        params.folder_id,
        fromWire(FolderChange, body),
      );
      about(call, after.folder);
      call.note(changedValues(presentSettings(before), presentSettings(after)));
      return presentFolder(after.folder);
    },

    async removeFolder({ params, query }, call) {
      aboutName(call, params);
      call.note({ force: query.force });
      about(call, await service.remove(params.folder_id, query));
    },

    async listPermissions({ params }) {
      return (await service.get(params.folder_id)).grants;
    },

    async setPermission({ params, body }, call) {
      aboutName(call, params);
      call.note(body);
      const { groupId, ...flags } = fromWire(NewPermission, body);
      const { folder, grant } = await service.grant(params.folder_id, groupId, flags);
      about(call, folder);
      call.note({ group_name: grant.groupName });
      return grant;
    },

    async removePermission({ params }, call) {
      aboutName(call, params);
      call.note({ group_id: params.group_id });
      about(call, await service.revoke(params.folder_id, params.group_id));
    },
  });
}

/** Notes the given name; the id is known after the folder is found. */
function aboutName(call: ApiCall, { folder_id: name }: { folder_id: string }): void {
  call.about({ kind: 'folder', id: null, name });
}

function about(call: ApiCall, { id, name }: Folder): void {
  call.about({ kind: 'folder', id, name, folder: name });
}
