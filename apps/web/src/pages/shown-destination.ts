/** Destinations as the page shows them: the built-in registry has the host of this page. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';

/** @param destination `host/repository:tag` as the server names it */
export function shownDestination(
  destination: string,
  registryId: string | null,
  pageHost = window.location.host,
): string {
  if (registryId !== LOCAL_REGISTRY_ID) return destination;
  return pageHost + destination.slice(destination.indexOf('/'));
}
