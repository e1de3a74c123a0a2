/** Source and destination registries of transfers. */

import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useCallback } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { impliedFolder } from '../images/implied-folder.ts';
import { useRegistries } from '../images/use-registries.ts';

export function useRegistryName(): (end: { registry_id: string | null; host: string }) => string {
  const { builtIn } = useMessages('images');
  const t = useMessages('transfers');
  const { data: registries } = useRegistries();
  return useCallback(
    ({ registry_id, host }) => {
      if (registry_id === LOCAL_REGISTRY_ID) return builtIn;
      if (registry_id === null) return t.hub;
      return registries?.find(({ id }) => id === registry_id)?.name ?? host;
    },
    [t, builtIn, registries],
  );
}

/** The preselected folder; null if there is a choice, undefined while loading. */
export function useImpliedFolder(): string | null | undefined {
  const pushable = useAnswer('folders.listPushable');
  return pushable.isPending ? undefined : impliedFolder(pushable.data ?? []);
}
