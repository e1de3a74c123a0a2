/** The page that an account begins on, by what it may do. */
import type { CurrentUser } from '@portcullis/contract';

type Rights = Pick<CurrentUser, 'is_admin' | 'can_bypass_vuln_block' | 'capabilities' | 'groups'>;

/**
 * Reviewers find what waits for them on the overview, and accounts that only read what is new.
 * Those who pull and push begin with their jobs.
 */
export function startOf(account: Rights): '/dashboard' | '/staging' {
  const { is_admin: isAdmin, can_bypass_vuln_block: isReviewer, capabilities, groups } = account;
  const works = Object.values(capabilities).includes(true);
  const onlyReads = groups.length > 0 && !works;
  return isAdmin || isReviewer || onlyReads ? '/dashboard' : '/staging';
}
