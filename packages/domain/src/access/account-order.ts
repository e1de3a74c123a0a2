/** The orders of a list of accounts; a minus sign means descending. Equal ones are by name. */
export const ACCOUNT_ORDERS = [
  'username',
  '-username',
  'auth_source',
  '-auth_source',
  'last_login_at',
  '-last_login_at',
] as const;
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number];
