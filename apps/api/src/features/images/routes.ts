/** Serves the images of the built-in registry and of saved ones. */
import { contract } from '@portcullis/contract';
import type { Principal } from '@portcullis/domain';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage, presentPage } from '../../http/paging.ts';
import { presentComparison } from './compare/present-comparison.ts';
import { presentDetail, presentTag } from './present.ts';
import type { RegistryScope } from './repositories.ts';
import type { ImagesService } from './service.ts';

export function imageRoutes(service: ImagesService): Route[] {
  return implement(contract.images, {
    async listImages({ params, query: { page, page_size: pageSize, sort, ...filter } }, call) {
      const scope = { principal: call.principal, registryId: params.registry_id };
      const { search, folder } = filter;
      const query = { page, pageSize, search, folder, order: sort };
      return presentPage(await service.list(scope, query), query);
    },

    async listImageTree({ params, query: { path, page, page_size: pageSize } }, call) {
      const scope = { principal: call.principal, registryId: params.registry_id };
      const query = { path: path ?? null, page, pageSize };
      return presentPage(await service.tree(scope, query), query);
    },

    async removeRepository({ params, query }, call) {
      call.about({ kind: 'repository', id: null, name: query.repository });
      const scope = { principal: call.principal, registryId: params.registry_id };
      await call.intend();
      const removal = await service.removeRepository(scope, query.repository);
      call.note({
        registry: params.registry_id,
        deleted: removal.deleted.length,
        failed: removal.failed.length,
      });
      return removal;
    },

    async listImageTags({ params, query: { repository, q, sort, ...asked } }, call) {
      const scope = { principal: call.principal, registryId: params.registry_id };
      const { standing, limit, cursor } = asked;
      const query = { q: q || undefined, standing, order: sort, limit, cursor };
      const found = await service.tags(scope, repository, query);
      announcePage(call, found);
      return found.items.map(presentTag);
    },

    async getImage({ params, query: { repository, tag, platform } }, call) {
      const scope = scopeOf(params, call);
      const query = { repository, tag, platform };
      return presentDetail(query, await service.detail(scope, query));
    },

    async findImageTag({ params, query }, call) {
      const scope = { principal: call.principal, registryId: params.registry_id };
      return { digest: await service.findTag(scope, query) };
    },

    async getImageStanding({ params, query: { repository, reference } }, call) {
      const scope = scopeOf(params, call);
      return service.standing(scope, { repository, reference });
    },

    async compareImages({ params, query }, call) {
      const scope = scopeOf(params, call);
      const { repository, to_repository: other = repository, platform } = query;
      const compared = await service.compare(scope, {
        from: { repository, reference: query.from },
        to: { repository: other, reference: query.to },
        platform,
      });
      return presentComparison(compared);
    },

    async listImagePackages(
      { params, query: { repository, tag, platform, q, layer, sort, ...page } },
      call,
    ) {
      const scope = scopeOf(params, call);
      const { limit, cursor } = page;
      const query = { repository, tag, platform, q, layer, sort, limit, cursor };
      const found = await service.packages(scope, query);
      announcePage(call, found);
      return found.items;
    },

    async listImageStatements({ params, query }, call) {
      return service.statements(scopeOf(params, call), query);
    },

    async removeImageTag({ params, query }, call) {
      call.about({ kind: 'image', id: null, name: query.repository });
      call.note({ registry: params.registry_id, tag: query.tag });
      const scope = { principal: call.principal, registryId: params.registry_id };
      await call.intend();
      const { repository, tag } = query;
      await service.removeTag(scope, repository, { tag, digest: undefined });
    },

    async removeImageTags({ params, query: { repository }, body: { tags, digest } }, call) {
      call.about({ kind: 'image', id: null, name: repository });
      call.note({ registry: params.registry_id, tags, ...(digest && { digest }) });
      const scope = { principal: call.principal, registryId: params.registry_id };
      await call.intend();
      const { reasons, ...counts } = await service.removeTags(scope, repository, { tags, digest });
      call.note(counts);
      return {
        ...counts,
        reasons: reasons.map(({ items, ...why }) => ({ ...why, tags: items })),
      };
    },

    async retagImage({ params, query, body }, call) {
      call.about({ kind: 'image', id: null, name: query.repository });
      call.note({ registry: params.registry_id, ...body });
      const scope = { principal: call.principal, registryId: params.registry_id };
      await call.intend();
      const { decisions, ...tagged } = await service.retag(scope, query.repository, {
        source: body.source_tag,
        target: body.new_tag,
      });
      if (decisions.length > 0) call.note({ decisions });
      return tagged;
    },

    async copyImage({ body }, call) {
      call.about({ kind: 'image', id: null, name: body.dest_repository });
      call.note({ ...body });
      await call.intend();
      const { digest, referrersLeft, decisions } = await service.copyImage(call.principal, {
        source: { repository: body.source_repository, reference: body.source_tag },
        target: { repository: body.dest_repository, tag: body.dest_tag ?? body.source_tag },
      });
      if (decisions.length > 0) call.note({ decisions });
      if (referrersLeft.length > 0) call.note({ referrers_left: referrersLeft });
      return { digest, referrers_left: referrersLeft };
    },
  });
}

/** Of a costly request, which ends when its client leaves. */
function scopeOf(
  { registry_id: registryId }: { registry_id: string },
  { principal, signal }: ApiCall<Principal>,
): RegistryScope {
  return { principal, registryId, signal };
}
