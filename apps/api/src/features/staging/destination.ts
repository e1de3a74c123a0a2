/**
 * Resolves the destination of a push; the checked, the shown and the written destination are the
 * same.
 */
import {
  externalRepository,
  folderOf,
  type JobDestination,
  LOCAL_REGISTRY_ID,
  localRepository,
  mayUseHosts,
  normalizeFolderName,
  type Principal,
  type Push,
  ROOT_FOLDER,
} from '@portcullis/domain';
import { isRepository, registryHost } from '@portcullis/oci';
import type { OwnHosts, RegistryAccess } from '@portcullis/registry-access';
import type { Store } from '@portcullis/store';
import { fieldInvalid } from '../../http/problem.ts';
import type { AccessRight } from '../../identity/rights.ts';

export interface PushOrder {
  targetImage: string;
  targetTag: string;
  folder: string | null;
  registryId: string | null;
  host: string | null;
  /** The account at the ad-hoc host. */
  username: string | null;
}

export interface ResolvedDestination
  extends Pick<Push, 'kind' | 'registryId' | 'host' | 'repository' | 'tag'> {
  /**
   * The folder whose grants apply; null for an external destination. It need not exist where the
   * caller named it: rights are asked about it by its name.
   */
  folder: string | null;
}

export interface DestinationPorts {
  locate: RegistryAccess['locate'];
  folders: Pick<Store['folders'], 'names'>;
  ownHosts: OwnHosts;
  publicHost(): string;
}

export async function destinationOf(
  order: PushOrder,
  principal: Principal,
  ports: DestinationPorts,
): Promise<ResolvedDestination> {
  if (order.registryId !== null) return toSaved(order.registryId, order, principal, ports);
  if (order.host !== null) return toHost(order.host, order, principal, ports);
  return toLocal(order, principal, ports);
}

async function toSaved(
  id: string,
  order: PushOrder,
  principal: Principal,
  ports: DestinationPorts,
): Promise<ResolvedDestination> {
  const place = await ports.locate(id, principal);
  if (place.kind === 'local') return toLocal(order, principal, ports);
  const { saved } = place;
  const repository = check(
    externalRepository(order.targetImage, saved.username, saved.pushNamespace),
  );
  return {
    kind: 'registry',
    registryId: saved.id,
    host: saved.host,
    repository,
    tag: order.targetTag,
    folder: null,
  };
}

async function toHost(
  text: string,
  order: PushOrder,
  principal: Principal,
  ports: DestinationPorts,
): Promise<ResolvedDestination> {
  const host = registryHost(text);
  // Needs a network request, which is skipped if the account has neither right.
  if (mayUseHosts(principal, 'push') && (await ports.ownHosts.isOwn(host, principal)))
    return toLocal(order, principal, ports);
  const repository = check(externalRepository(order.targetImage, order.username));
  return { kind: 'host', registryId: null, host, repository, tag: order.targetTag, folder: null };
}

async function toLocal(
  order: PushOrder,
  { isAdmin }: Principal,
  ports: DestinationPorts,
): Promise<ResolvedDestination> {
  const folders = new Set(await ports.folders.names());
  const folder = namedFolder(order.folder);
  if (folder !== null && !folders.has(folder)) {
    // Others are refused it as a folder in which they have no rights.
    if (isAdmin || normalizeFolderName(folder) === null) throw unknownFolder(folder);
    folders.add(folder);
  }
  const repository = check(localRepository(order.targetImage, folder));
  const place = { kind: 'local' as const, registryId: LOCAL_REGISTRY_ID, host: ports.publicHost() };
  return { ...place, repository, tag: order.targetTag, folder: folderOf(repository, folders) };
}

/** A destination that is kept: a folder or a saved registry. */
export function keptDestination(resolved: ResolvedDestination): JobDestination {
  const { registryId, host, repository, tag, folder } = resolved;
  const kind = resolved.kind === 'local' ? 'local' : 'registry';
  return { kind, registryId, host, folder, repository, tag };
}

/** The right that writing there needs. */
export function rightTo({ kind, repository, folder }: ResolvedDestination): AccessRight {
  if (kind !== 'local') return { action: 'push_external' };
  return { action: 'push', repository, named: folder };
}

/** The right that asking for a review of an image there needs. */
export function rightToAsk(destination: ResolvedDestination): AccessRight {
  const right = rightTo(destination);
  return right.action === 'push' ? { ...right, operation: 'judge' } : right;
}

/** Null for the root folder. */
export function namedFolder(folder: string | null): string | null {
  const name = folder?.trim().toLowerCase() ?? '';
  return name === '' || name === ROOT_FOLDER ? null : name;
}

function unknownFolder(folder: string): Error {
  return fieldInvalid('folder', 'FOLDER_UNKNOWN', `There is no folder ${folder}.`, { folder });
}

/** The host and folder prefixes may make a path too long. */
function check(repository: string): string {
  if (isRepository(repository)) return repository;
  throw fieldInvalid(
    'target_image',
    'NAME_INVALID',
    'The destination is longer than a repository path may be.',
  );
}
