/** What the actions of `portcullis waivers` have in common: the account that acts, and the end. */
import type { Principal } from '@portcullis/domain';
import { invalid, notFound } from '@portcullis/errors';
import type { Store } from '@portcullis/store';
import type { CommandCall } from './command.ts';

export const DEFAULT_DAYS = '90';
const MOST_DAYS = 365;

/** @throws invalid `WAIVER_END_INVALID` */
export function waiverDays(call: Pick<CommandCall, 'value'>): number {
  const days = Number(call.value('days') ?? DEFAULT_DAYS);
  if (Number.isInteger(days) && days >= 1 && days <= MOST_DAYS) return days;
  throw invalid('WAIVER_END_INVALID', `--days is a whole number between 1 and ${MOST_DAYS}`);
}

/** @throws not_found `USER_UNKNOWN` */
export async function principalOf(store: Store, name: string | undefined): Promise<Principal> {
  if (name === undefined) throw invalid('USAGE', 'name the account that acts with --account');
  const user = await store.users.findByUsername(name);
  if (!user || user.disabled)
    throw notFound('USER_UNKNOWN', `there is no account ${name}, or it is disabled`);
  const grants = user.isAdmin ? [] : await store.folders.grantsFor(user.id);
  const { id, username, isAdmin, canBypassVulnBlock } = user;
  return { id, username, isAdmin, canBypassVulnBlock, grants, auth: 'system' };
}
