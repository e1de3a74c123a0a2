/** The orders of a list of transfers; a minus sign is descending. Equal ones are newest first. */
export const TRANSFER_SORTS = [
  '-created_at',
  'created_at',
  'status',
  '-status',
  'owner',
  '-owner',
] as const;
export type TransferSort = (typeof TRANSFER_SORTS)[number];
