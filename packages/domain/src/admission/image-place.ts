/** Whether an image in the specification of a pod is one of this registry. */
import { isAppError } from '@portcullis/errors';
import { isDigest, parseImage, registryHost } from '@portcullis/oci';

export type ImageHome =
  | { kind: 'own'; repository: string; reference: string; isPinned: boolean }
  | { kind: 'foreign'; host: string }
  | { kind: 'invalid'; fault: string };

/** @param hosts the names of this registry, as `ownHost` writes them */
export function placeOf(image: string, hosts: ReadonlySet<string>): ImageHome {
  try {
    const { host, repository, reference } = parseImage(image);
    if (!hosts.has(ownHost(host))) return { kind: 'foreign', host };
    return { kind: 'own', repository, reference, isPinned: isDigest(reference) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { kind: 'invalid', fault: error.message };
  }
}

/** One spelling for each host, without the port of HTTPS. @throws invalid `HOST_INVALID` */
export function ownHost(text: string): string {
  return registryHost(text).replace(/:443$/, '');
}

export function isHost(text: string): boolean {
  try {
    return ownHost(text) !== '';
  } catch {
    return false;
  }
}
