/** The condition for one word of the search of jobs. */
import { searchedDigest, searchedImage } from '@portcullis/domain';
import type { StagingJobWhereInput } from '../../generated/models.ts';
import { contains, startsWith } from '../../like.ts';

interface NamedRegistry {
  id: string;
  name: string;
}

/** What the page calls it, and its host. */
const DOCKER_HUB = ['docker', 'hub', 'dockerhub', 'docker.io', 'registry-1.docker.io'];

/** The image as it was requested, where it was pushed to, or the registry at either end. */
export function searched(word: string, registries: readonly NamedRegistry[]): StagingJobWhereInput {
  const begun = searchedDigest(word);
  const parts = [
    { image: contains(word) },
    { tag: contains(word) },
    ...(begun === null ? [] : [{ digest: startsWith(begun) }]),
    ...atRegistry(word.toLowerCase(), registries),
  ];
  const image = searchedImage(word);
  if (!image) return { OR: parts };
  const { repository, tag, digest } = image;
  const requested = [
    { image: contains(repository) },
    ...(tag === undefined ? [] : [{ tag: startsWith(tag) }]),
    ...(digest === undefined ? [] : [{ digest: startsWith(digest) }]),
  ];
  const pushed = { repository, ...(tag !== undefined && { tag }) };
  return { OR: [...parts, { AND: requested }, { pushes: { array_contains: [pushed] } }] };
}

/** By the name of a saved registry, and by the host of a source. */
function atRegistry(word: string, registries: readonly NamedRegistry[]): StagingJobWhereInput[] {
  const ids = registries.flatMap(({ id, name }) => (name.toLowerCase().includes(word) ? id : []));
  return [
    { source: { path: ['host'], equals: word } },
    ...(DOCKER_HUB.includes(word) ? [{ source: { path: ['kind'], equals: 'dockerhub' } }] : []),
    ...ids.flatMap((registryId) => [
      { source: { path: ['registryId'], equals: registryId } },
      { pushes: { array_contains: [{ registryId }] } },
    ]),
  ];
}
