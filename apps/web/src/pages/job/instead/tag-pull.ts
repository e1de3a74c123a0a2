/** The pull of another tag of the image of a job, for the same place. */
import type { Job } from '@portcullis/contract';
import type { RequestFor } from '../../../api/client.ts';
import { destinationFields, lastChoice } from '../../pull/destination-choice.ts';
import { proposal } from '../push/push-form.ts';

type JudgedPlace = NonNullable<NonNullable<Job['standing']>['destination']>;
export type PulledFrom = Pick<
  Job,
  'image' | 'source' | 'tag' | 'platforms' | 'standing' | 'destination'
>;

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
