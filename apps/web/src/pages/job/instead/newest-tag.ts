/** The newest tag of the repository that a job was pulled from, to try in its place. */
import { newerVariant } from '@portcullis/domain/nearest-tags';
import { call, page } from '../../../api/api.ts';
import type { PulledFrom } from './tag-pull.ts';

const MOST_TAGS = 200;

/** Null where the source names none that is newer and of the same variant. */
export async function newestTag(job: PulledFrom): Promise<string | null> {
  return newerVariant(job.tag, await tagsOf(job));
}

async function tagsOf({ image, source: { kind, registry_id, host } }: PulledFrom) {
  if (kind === 'dockerhub') {
    const tags = await call('staging.listDockerHubTags', { query: { image } });
    return tags.map(({ name }) => name);
  }
  if (kind === 'registry') {
    const params = { registry_id: registry_id ?? '' };
    const query = { repository: image, limit: MOST_TAGS };
    return (await page('images.listImageTags', { params, query })).items.map(({ tag }) => tag);
  }
  const body = { image, source_registry_host: host };
  return (await page('staging.listSourceTags', { query: { limit: MOST_TAGS }, body })).items;
}
