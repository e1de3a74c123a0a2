/** The lists that have saved filters, and where each account has those of a list. */
export type SavedList =
  | 'staging'
  | 'audit'
  | 'transfers'
  | 'schedules'
  | 'vulnerabilities'
  | 'waivers'
  | 'reviews'
  | 'tags'
  | 'saved-registry-tags'
  | 'repositories'
  | 'saved-registry-repositories'
  | 'accounts';

export const savedKey = (list: SavedList, accountId: string): string =>
  `portcullis.filters.${list}.${accountId}`;
