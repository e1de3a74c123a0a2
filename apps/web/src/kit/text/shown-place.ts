/** Places in registries as the page shows them: the built-in registry has the host of this page. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';

/** @param place `host` or `host/repository:tag` as the server names it */
export function shownPlace(
  place: string,
  registryId: string | null | undefined,
  pageHost = window.location.host,
): string {
  if (registryId !== LOCAL_REGISTRY_ID) return place;
  return place.replace(/^[^/]*/, () => pageHost);
}
