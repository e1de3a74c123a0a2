/**
 * Places in registries as people write them: the built-in registry has the host of this page, and
 * Docker Hub is not named by the host of its API.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';

const DOCKER_HUB = /^registry-1\.docker\.io(?=\/|$)/;

/** @param place `host` or `host/repository:tag` as the server names it */
export function shownPlace(
  place: string,
  registryId: string | null | undefined,
  pageHost = window.location.host,
): string {
  if (registryId !== LOCAL_REGISTRY_ID) return place.replace(DOCKER_HUB, 'docker.io');
  return place.replace(/^[^/]*/, () => pageHost);
}

/** In a registry that was saved under a name: by that name, as `Vendor · team/app:1`. */
export function namedPlace(place: string, registryName: string): string {
  const [, rest = ''] = /^[^/]*\/?(.*)$/.exec(place) ?? [];
  return rest === '' ? registryName : `${registryName} · ${rest}`;
}
