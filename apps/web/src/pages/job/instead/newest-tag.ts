/** The newest tag of the repository that a job was pulled from, to try in its place. */

import type { Job } from '@portcullis/contract';
import { newerVariant } from '@portcullis/domain/nearest-tags';
import { call, page } from '../../../api/api.ts';
import type { RequestFor } from '../../../api/client.ts';
import { destinationFields, lastChoice } from '../../pull/destination-choice.ts';
import { proposal } from '../push/push-form.ts';

const MOST_TAGS = 200;

type JudgedPlace = NonNullable<NonNullable<Job['standing']>['destination']>;
type PulledFrom = Pick<Job, 'image' | 'source' | 'tag' | 'platforms' | 'standing' | 'destination'>;

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

export function pullOf(
  { image, source: { kind, registry_id, host }, platforms, standing, destination }: PulledFrom,
  tag: string,
): RequestFor<'staging.pull'>['body'] {
  return {
    image,
    tag,
    ...(kind === 'registry' && { source_registry_id: registry_id }),
    ...(kind === 'host' && { source_registry_host: host }),
    ...(platforms !== 'all' && { platforms }),
    ...forSamePlace({ image, tag, destination: savedPlace(standing?.destination) ?? destination }),
  };
}

/** No pull names a host that was typed in. */
function savedPlace(place: JudgedPlace | null | undefined): Job['destination'] {
  return place?.kind === 'local' || place?.kind === 'registry'
    ? { ...place, kind: place.kind }
    : null;
}

/** The policy of the same place judges it, under the same name there. */
function forSamePlace(job: Parameters<typeof proposal>[0]) {
  const { destination } = destinationFields(lastChoice(job.destination ?? null));
  if (!destination) return {};
  const { image: target_image } = proposal(job);
  return { destination: { ...destination, target_image, target_tag: job.tag } };
}
