import type { Registry } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';

/** The built-in one first, then those this account may use. */
export function useRegistries() {
  return useQuery(ask('registries.listRegistries', { query: { include_system: 'true' } }));
}

/** What clients write before the repository. The built-in registry answers where this page came from. */
export function hostOf(
  registryId: string,
  registries: readonly Registry[],
): { host: string; plain: boolean } {
  if (registryId === LOCAL_REGISTRY_ID)
    return { host: window.location.host, plain: window.location.protocol === 'http:' };
  const saved = registries.find(({ id }) => id === registryId);
  return { host: saved?.host ?? '', plain: saved?.use_tls === false };
}
