/** Writes changed transfers into the cached lists and single transfers. */
import type { TransferDetail, TransferEvent, TransferView } from '@portcullis/contract';
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import { ask, keyOf } from '../api/api.ts';
import type { AnswerPage } from '../api/client.ts';
import { furtherPagesLoaded, refetchLists } from './refetch-lists.ts';

type TransferPages = InfiniteData<AnswerPage<TransferView[]>>;

const LIST = keyOf('transfers.listTransfers');

/** A transfer for its counts: with as few of its jobs as possible. */
export function numbersOf(id: string) {
  return ask('transfers.getTransfer', { params: { id }, query: { limit: 1 } });
}

export function putTransfer(queries: QueryClient, changed: TransferEvent['data']): void {
  if ('deleted' in changed) {
    void refetchLists(queries, LIST);
    return;
  }
  putListed(queries, changed);
  putSingle(queries, changed);
}

/** @param id of the transfer that is shown; absent: the list is */
export async function reloadTransfers(queries: QueryClient, id?: string): Promise<void> {
  const queryKey = id === undefined ? LIST : numbersOf(id).queryKey;
  await furtherPagesLoaded(queries, queryKey);
  // A request on its way may have read the state before the changes.
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}

function putListed(queries: QueryClient, changed: TransferView): void {
  let isStale = false;
  for (const [key, known] of queries.getQueriesData<TransferPages>({ queryKey: LIST })) {
    if (!known) continue;
    isStale ||= isWhole(key) ? isNewer(changed, known) : hasMoved(changed, known);
    const pages = known.pages.map((page) => replaced(page, changed));
    queries.setQueryData<TransferPages>(key, { ...known, pages });
  }
  if (isStale) void refetchLists(queries, LIST);
}

/** Whether the list has all transfers, newest first. */
function isWhole([, request]: QueryKey): boolean {
  const { query = {} } = (request ?? {}) as { query?: object };
  return Object.keys(query).length === 0;
}

/** Whether its status says that it has another place in the list, or none. */
function hasMoved({ transfer_id, status }: TransferView, { pages }: TransferPages): boolean {
  const listed = pages
    .flatMap(({ items }) => items)
    .find((transfer) => transfer.transfer_id === transfer_id);
  return listed !== undefined && listed.status !== status;
}

/** Whether it belongs before the first one of the list, which is the newest. */
function isNewer({ transfer_id, created_at }: TransferView, { pages }: TransferPages): boolean {
  const [newest] = pages[0]?.items ?? [];
  if (!newest) return true;
  return newest.transfer_id !== transfer_id && created_at > newest.created_at;
}

/** Unchanged pages keep their identity, so that they are not rendered again. */
function replaced(
  page: AnswerPage<TransferView[]>,
  changed: TransferView,
): AnswerPage<TransferView[]> {
  const at = page.items.findIndex(({ transfer_id }) => transfer_id === changed.transfer_id);
  return at < 0 ? page : { ...page, items: page.items.with(at, changed) };
}

/** Events carry neither jobs nor images: at the end they are loaded. */
function putSingle(queries: QueryClient, changed: TransferView): void {
  const { queryKey } = numbersOf(changed.transfer_id);
  const known = queries.getQueryData<TransferDetail>(queryKey);
  if (!known) return;
  queries.setQueryData<TransferDetail>(queryKey, { ...known, ...changed });
  if (known.status !== changed.status) void queries.invalidateQueries({ queryKey });
}
