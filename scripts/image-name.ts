/**
 * Parses image names with their registry, as in commands and files:
 * `registry.example.com/team/app:1.0`.
 */
import { type ImagePath, parseImageName } from '@portcullis/oci';
import {
  openRepository,
  type RegistryCredentials,
  type Repository,
  type Transport,
} from '@portcullis/oci/remote';

export interface NamedImage extends ImagePath {
  host: string;
}

/** @throws invalid where it is no image name with a host */
export function parseNamedImage(text: string): NamedImage {
  const slash = text.indexOf('/');
  if (slash < 1)
    throw new Error(`${text} names no registry; write registry.example.com/team/app:1.0`);
  return { host: text.slice(0, slash), ...parseImageName(text.slice(slash + 1)) };
}

export function openNamed(
  { host, repository }: Pick<NamedImage, 'host' | 'repository'>,
  transport: Transport,
  credentials?: RegistryCredentials,
): Repository {
  return openRepository({ host, repository, tls: 'loopback-fallback', transport, credentials });
}
