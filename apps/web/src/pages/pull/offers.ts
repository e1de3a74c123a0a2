/** What the chosen source has: images by what is typed, and the tags of one. Without an answer, one types it all. */

import { useDebouncedValue } from '@mantine/hooks';
import type { HubImage } from '@portcullis/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask, call, keyOf } from '../../api/api.ts';
import { useAccount } from '../../session/account.ts';
import { hostFields, type PullForm, takeApart } from './pull-form.ts';

export interface OfferedTag {
  name: string;
  size: number | null;
  updated_at: string | null;
  platforms: string[];
}

export interface OfferedImage {
  name: string;
  hub: HubImage | null;
}

const UNKNOWN = { size: null, updated_at: null, platforms: [] };
const SEARCH = { staleTime: 300_000, retry: false } as const;

export function useOfferedImages(form: PullForm) {
  const { image, registryId } = form;
  const { source } = takeApart(form);
  const [words] = useDebouncedValue(image.trim(), 250);
  const { capabilities } = useAccount();
  const hub = useQuery({
    ...ask('staging.searchDockerHub', { query: { q: words } }),
    ...SEARCH,
    enabled: source === 'hub' && words.length > 1 && capabilities.pull_external,
    placeholderData: keepPreviousData,
    select: (found) => found.map((each): OfferedImage => ({ name: each.name, hub: each })),
  });
  const saved = useQuery({
    ...ask('images.listImages', {
      params: { registry_id: registryId ?? '' },
      query: { search: words, page_size: 25 },
    }),
    ...SEARCH,
    enabled: source === 'saved' && registryId !== null,
    placeholderData: keepPreviousData,
    select: ({ items }) => items.map(({ name }): OfferedImage => ({ name, hub: null })),
  });
  return source === 'hub' ? hub : saved;
}

/**
 * Of what the form means: a host may still stand before the image. It is asked only where tags are `wanted`: with each
 * letter of a name it would be asked for nothing.
 */
export function useOfferedTags(typed: PullForm, wanted: boolean) {
  const form = takeApart(typed);
  const { source, image, registryId } = form;
  const [name] = useDebouncedValue(image.trim(), 400);
  const { capabilities } = useAccount();
  const hub = useQuery({
    ...ask('staging.listDockerHubTags', { query: { image: name } }),
    ...SEARCH,
    enabled: source === 'hub' && name.length > 1 && capabilities.pull_external,
    select: (tags): OfferedTag[] => tags,
  });
  const saved = useQuery({
    ...ask('images.listImageTags', {
      params: { registry_id: registryId ?? '' },
      query: { repository: name, limit: 100 },
    }),
    ...SEARCH,
    enabled: source === 'saved' && registryId !== null && name !== '',
    select: (tags) => tags.map(({ tag, ...rest }): OfferedTag => ({ name: tag, ...rest })),
  });
  const body = { image: image.trim(), ...hostFields(form) };
  const host = useQuery({
    queryKey: keyOf('staging.listSourceTags', { body }),
    queryFn: () => call('staging.listSourceTags', { query: { limit: 200 }, body }),
    ...SEARCH,
    enabled: source === 'host' && wanted && isAskable(form),
    select: (tags) => tags.map((tag): OfferedTag => ({ name: tag, ...UNKNOWN })),
  });
  return { hub, saved, host }[source];
}

function isAskable({ host, image, username, password }: PullForm): boolean {
  return host.trim() !== '' && image.trim() !== '' && (username === '') === (password === '');
}
