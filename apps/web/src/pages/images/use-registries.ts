import type { Registry } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';

/** The built-in registry first, then those available to the account. */
export function useRegistries() {
  return useAnswer('registries.listRegistries', { query: { include_system: 'true' } });
}

/** As options of a select. */
export function useRegistryChoices(): { value: string; label: string }[] {
  const t = useMessages('images');
  return (useRegistries().data ?? []).map(({ id, name, host, system }) => ({
    value: id,
    label: system ? t.builtIn : `${name} (${host})`,
  }));
}

/** The host that clients use. The built-in registry has the host of this page. */
export function hostOf(
  registryId: string,
  registries: readonly Registry[],
): { host: string; plain: boolean } {
  if (registryId === LOCAL_REGISTRY_ID)
    return { host: window.location.host, plain: window.location.protocol === 'http:' };
  const saved = registries.find(({ id }) => id === registryId);
  return { host: saved?.host ?? '', plain: saved?.use_tls === false };
}
