/** Suggestions for images and tags of the chosen source. */

import { useDebouncedValue } from '@mantine/hooks';
import type { HubImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask, keyOf, page } from '../../api/api.ts';
import { useAccount } from '../../session/account.ts';
import { hostFields, type PullForm, splitReference } from './pull-form.ts';
import { newestFirst, type TagSuggestions, withFound } from './tag-offer.ts';

export interface ImageSuggestion {
  name: string;
  hub: HubImage | null;
}

/** The number of images that are suggested at once, which is a page of Docker Hub. */
export const IMAGES = 25;

const UNKNOWN = { size: null, updated_at: null, platforms: [] };
const SEARCH = { staleTime: 300_000, retry: false } as const;

export function useImageSuggestions(form: PullForm) {
  const { image, registryId } = form;
  const { source } = splitReference(form);
  const [words] = useDebouncedValue(image.trim(), 250);
  const { capabilities } = useAccount();
  const hub = useQuery({
    ...ask('staging.searchDockerHub', { query: { q: words } }),
    ...SEARCH,
    enabled: source === 'hub' && words.length > 1 && capabilities.pull_external,
    placeholderData: keepPreviousData,
    select: (found) => found.map((each): ImageSuggestion => ({ name: each.name, hub: each })),
  });
  const saved = useQuery({
    ...ask('images.listImages', {
      params: { registry_id: registryId ?? '' },
      query: { search: words, page_size: IMAGES + 1 },
    }),
    ...SEARCH,
    enabled: source === 'saved' && registryId !== null,
    placeholderData: keepPreviousData,
    select: ({ items }) => items.map(({ name }): ImageSuggestion => ({ name, hub: null })),
  });
  return source === 'hub' ? hub : saved;
}

/** The number of tags loaded at once; others are found by typing. */
const TAGS = { saved: 100, host: 200 } as const;

/**
 * Tags of the image in the form, whose name may still contain a host. Another host is asked only
 * when tags are `wanted`, not at each key press. If a registry has more tags, it is searched.
 */
export function useTagSuggestions(typed: PullForm, wanted: boolean) {
  const form = splitReference(typed);
  const [q] = useDebouncedValue(typed.tag.trim(), 400);
  const first = useTags(form, wanted, '');
  const found = useTags(form, wanted, first.data?.more ? q : '');
  const offer = first.data && withFound(first.data, found.data);
  const ordered = offer && hasOwnOrder(form) ? newestFirst(offer) : offer;
  return { offer: ordered, error: first.error, isFetching: first.isFetching || found.isFetching };
}

/** Docker Hub and the built-in registry sort tags by time; other registries do not. */
function hasOwnOrder({ source, registryId }: PullForm): boolean {
  return source === 'host' || (source === 'saved' && registryId !== LOCAL_REGISTRY_ID);
}

function useTags(form: PullForm, wanted: boolean, q: string) {
  const { source, image, registryId } = form;
  const [name] = useDebouncedValue(image.trim(), 400);
  const { capabilities } = useAccount();
  const hub = useQuery({
    ...ask('staging.listDockerHubTags', { query: { image: name } }),
    ...SEARCH,
    enabled: source === 'hub' && name.length > 1 && capabilities.pull_external,
    select: (tags): TagSuggestions => ({ tags, more: false }),
  });
  const params = { registry_id: registryId ?? '' };
  const query = { repository: name, limit: TAGS.saved, q };
  const saved = useQuery({
    // The repository page caches its pages under the same key.
    queryKey: [...keyOf('images.listImageTags', { params, query }), 'offer'],
    queryFn: () => page('images.listImageTags', { params, query }),
    ...SEARCH,
    enabled: source === 'saved' && registryId !== null && name !== '',
    select: ({ items, next }): TagSuggestions => ({
      tags: items.map(({ tag, ...rest }) => ({ name: tag, ...rest })),
      more: next !== null,
    }),
  });
  const body = { image: image.trim(), ...hostFields(form) };
  const host = useQuery({
    queryKey: keyOf('staging.listSourceTags', { query: { q }, body }),
    queryFn: () => page('staging.listSourceTags', { query: { q, limit: TAGS.host }, body }),
    ...SEARCH,
    enabled: source === 'host' && wanted && canListTags(form),
    select: ({ items, next }): TagSuggestions => ({
      tags: items.map((name) => ({ name, ...UNKNOWN })),
      more: next !== null,
    }),
  });
  return { hub, saved, host }[source];
}

function canListTags({ host, image, username, password }: PullForm): boolean {
  return host.trim() !== '' && image.trim() !== '' && (username === '') === (password === '');
}
