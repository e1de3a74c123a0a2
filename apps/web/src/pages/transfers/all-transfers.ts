/** All transfers that match a filter, also those that no page of the list has loaded. */
import type { TransferView } from '@portcullis/contract';
import { page } from '../../api/api.ts';
import { everyPage } from '../../api/every-page.ts';
import { queryOf, type TransferListFilter } from './transfer-filter.ts';

export function allTransfers(filter: TransferListFilter): Promise<TransferView[]> {
  const conditions = queryOf(filter, Date.now());
  return everyPage((query) =>
    page('transfers.listTransfers', { query: { ...conditions, ...query } }),
  );
}
