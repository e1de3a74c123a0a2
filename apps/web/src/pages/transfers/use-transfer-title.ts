import { useCallback } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { useRegistryName } from './transfer-registries.ts';
import { type TitledTransfer, transferTitle } from './transfer-title.ts';

export function useTransferTitle(): (transfer: TitledTransfer) => string {
  const t = useMessages('transfers');
  const nameOf = useRegistryName();
  return useCallback(
    (transfer) =>
      transferTitle(transfer, { words: { fromTo: t.fromTo, andMore: t.andMore }, nameOf }),
    [t, nameOf],
  );
}
