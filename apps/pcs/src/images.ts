/** Images and registries as people write them on the command line. */
import type { ApiClient } from '@portcullis/client';
import type { PullRequest, PushRequest, Registry } from '@portcullis/contract';
import { invalid, notFound } from '@portcullis/errors';
import { DOCKER_HUB_HOST, isDigest, parseImage, parseImageName } from '@portcullis/oci';

/** `__local__` is the built-in registry. */
const LOCAL = '__local__';

export interface LocalImage {
  repository: string;
  /** A tag or a digest; `latest` by default. */
  reference: string;
}

/** An image of the built-in registry, with or without its host. @throws invalid */
export function localImage(text: string, { host }: URL): LocalImage {
  const own = `${host}/`;
  const name = text.startsWith(own) ? text.slice(own.length) : text;
  const [, other, rest] = /^([^/]+:\d+)\/(.+)$/.exec(name) ?? [];
  if (other !== undefined)
    throw invalid(
      'HOST_INVALID',
      `${other} is not the host of PORTCULLIS_URL, ${host}; write the image as ${rest}`,
    );
  const { repository, digest, tag } = parseImageName(name);
  return { repository, reference: digest ?? tag ?? 'latest' };
}

type Source = Pick<PullRequest, 'image' | 'source_registry_id' | 'source_registry_host'> & {
  tag: string;
};

/** By its host, unless `from` names a registry. @throws invalid, not_found `REGISTRY_UNKNOWN` */
export async function sourceOf(api: ApiClient, text: string, from?: string): Promise<Source> {
  if (from !== undefined) {
    const { repository, digest, tag } = parseImageName(text);
    const named = { image: repository, tag: digest ?? tag ?? 'latest' };
    const registry = await registryOf(api, from);
    return registry === null ? named : { ...named, source_registry_id: registry.id };
  }
  const { host, repository: image, reference: tag } = parseImage(text);
  if (host === DOCKER_HUB_HOST) return { image, tag };
  if (host === api.site.host) return { image, tag, source_registry_id: LOCAL };
  const saved = savedAt(host, await api.call('registries.listRegistries'));
  return {
    image,
    tag,
    ...(saved ? { source_registry_id: saved.id } : { source_registry_host: host }),
  };
}

type Destination = Pick<
  PushRequest,
  'target_image' | 'target_tag' | 'external_registry_id' | 'external_registry_host'
>;

/**
 * In the built-in registry, unless it begins with another host.
 * @param folders those that count before a host: a mirror is called as its upstream
 * @throws invalid
 */
export async function destinationOf(
  api: ApiClient,
  text: string,
  folders: readonly string[] = [],
): Promise<Destination> {
  const [first = ''] = text.split('/');
  if (!hasHost(text) || first === api.site.host || folders.includes(first))
    return destinationAt(localImage(text, api.site));
  const { host, repository, reference } = parseImage(text);
  const saved = savedAt(host, await api.call('registries.listRegistries'));
  return {
    ...destinationAt({ repository, reference }),
    ...(saved ? { external_registry_id: saved.id } : { external_registry_host: host }),
  };
}

function destinationAt({ repository, reference }: LocalImage): Destination {
  if (isDigest(reference)) throw invalid('USAGE', '--to needs a tag, not a digest');
  return { target_image: repository, target_tag: reference };
}

/** As Docker decides it. */
function hasHost(text: string): boolean {
  const [first = '', ...rest] = text.split('/');
  return rest.length > 0 && /[.:]|^localhost$/.test(first);
}

function savedAt(host: string, registries: readonly Registry[]): Registry | undefined {
  return registries.find((each) => each.host === host);
}

type KnownRegistry = Pick<Registry, 'id' | 'host'>;

/**
 * By its name, host or id; null for `hub`, Docker Hub without a login.
 * @throws not_found `REGISTRY_UNKNOWN`
 */
export async function registryOf(api: ApiClient, word: string): Promise<KnownRegistry | null> {
  if (word === 'local' || word === api.site.host) return { id: LOCAL, host: api.site.host };
  const registries = await api.call('registries.listRegistries');
  const found = registries.find(({ id, name, host }) => [id, name, host].includes(word));
  if (found) return found;
  if (word === 'hub') return null;
  const names = registries.map(({ name }) => name).join(', ');
  const known = names === '' ? 'no other is saved' : `those saved are ${names}`;
  throw notFound('REGISTRY_UNKNOWN', `there is no registry "${word}"; hub, local, or ${known}`);
}
