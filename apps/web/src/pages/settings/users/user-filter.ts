/** The search and the order of the list of accounts, kept in the URL. */
import { ACCOUNT_ORDERS, type AccountOrder } from '@portcullis/domain';
import { useUrlState } from '../../../kit/use-url-state.ts';

export interface UserListFilter {
  words: string;
  sort: AccountOrder;
}

const BY_NAME: AccountOrder = 'username';

export function accountOrderOf(text: string | null): AccountOrder {
  return ACCOUNT_ORDERS.find((each) => each === text) ?? BY_NAME;
}

export function parametersOf({ words, sort }: UserListFilter): Record<string, string> {
  return { ...(words !== '' && { q: words }), ...(sort !== BY_NAME && { sort }) };
}

export function filterOf(query: URLSearchParams): UserListFilter {
  return { words: query.get('q') ?? '', sort: accountOrderOf(query.get('sort')) };
}

export const useUserFilter = () =>
  useUrlState<UserListFilter>({
    read: filterOf,
    write: (before, change) => parametersOf({ ...before, ...change }),
  });
