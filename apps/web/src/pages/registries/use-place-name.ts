/** Places in registries as lists show them: a saved registry by its name, others by their host. */
import type { JobStandingView } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import { useCallback } from 'react';
import { namedPlace, shownPlace } from '../../kit/text/shown-place.ts';
import { useRegistries } from '../images/use-registries.ts';

export type PlaceName = (place: string, registryId: string | null | undefined) => string;

/** A registry that this account may not see, or that was deleted, has its host. */
export function usePlaceName(): PlaceName {
  const { data: registries } = useRegistries();
  return useCallback<PlaceName>(
    (place, registryId) => {
      const saved = registries?.find(({ id }) => id === registryId && id !== LOCAL_REGISTRY_ID);
      return saved ? namedPlace(place, saved.name) : shownPlace(place, registryId);
    },
    [registries],
  );
}

type Destination = JobStandingView['destination'];

/** The folder, or the registry; null for none. */
export function placeName(destination: Destination, nameOf: PlaceName): string | null {
  if (destination === null) return null;
  const { folder, host, registry_id } = destination;
  return folder === null || folder === ROOT_FOLDER ? nameOf(host, registry_id) : folder;
}
