/** Lists tags of an ad-hoc host, with the credentials and checks of a pull. */
import { LOCAL_REGISTRY_ID, type Principal } from '@portcullis/domain';
import { type ListPage, tlsOptions } from '@portcullis/oci/remote';
import type { RegistryAccess } from '@portcullis/registry-access';
import type { AccessRights } from '../../identity/rights.ts';
import { readTags, type TagQuery } from '../images/read-tags.ts';
import { type OpenedRepository, openedAt } from '../images/repositories.ts';
import {
  type ResolvedSource,
  resolveSource,
  type SourceOrder,
  type SourcePorts,
} from './source.ts';

export interface SourceTagsPorts extends Omit<SourcePorts, 'locate'> {
  rights: AccessRights;
  access: Pick<RegistryAccess, 'locate' | 'openLocal' | 'openHost'>;
}

export interface SourceTags {
  /** @throws forbidden, not_found, conflict, unavailable */
  list(
    principal: Principal,
    order: SourceOrder,
    query: TagQuery & { left: AbortSignal },
  ): Promise<ListPage>;
}

const PATIENCE_MS = 20_000;

export function createSourceTags({
  rights,
  access,
  ownHosts,
  publicHost,
}: SourceTagsPorts): SourceTags {
  const { locate } = access;

  async function list(
    principal: Principal,
    order: SourceOrder,
    { left, ...query }: TagQuery & { left: AbortSignal },
  ): Promise<ListPage> {
    const resolved = await resolveSource(order, principal, { locate, ownHosts, publicHost });
    await rights.assert(principal, resolved.right);
    const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), left]);
    return readTags(open(resolved, principal), query, signal);
  }

  function open(
    { source, image, credentials }: ResolvedSource,
    principal: Principal,
  ): OpenedRepository {
    if (source.registryId === LOCAL_REGISTRY_ID)
      return openedAt(null, image, access.openLocal(image));
    const place = { host: source.host, repository: image, ...tlsOptions(source) };
    const repository = access.openHost({ ...place, credentials }, principal);
    return openedAt({ host: source.host, login: 'given' }, image, repository);
  }

  return { list };
}
