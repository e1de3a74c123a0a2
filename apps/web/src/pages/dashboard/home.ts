/** What an account has on its overview, by what it may do; the first part is on top. */
import type { CurrentUser } from '@portcullis/contract';

type Rights = Pick<CurrentUser, 'is_admin' | 'can_bypass_vuln_block' | 'capabilities'>;

export type HomePart = 'reviews' | 'attention' | 'jobs' | 'changes' | 'figures';

/** An administrator runs the installation; a reviewer decides; a developer pulls and pushes. */
export function homeOf(account: Rights): HomePart[] {
  if (account.is_admin) return ['attention', 'reviews', 'changes', 'jobs', 'figures'];
  const decides: HomePart[] = account.can_bypass_vuln_block ? ['reviews'] : [];
  const works: HomePart[] = mayWork(account) ? ['jobs'] : [];
  return [...decides, 'attention', ...works, 'changes'];
}

/** Whether the account has any use for an image in staging. */
export function mayWork({ is_admin: isAdmin, capabilities }: Rights): boolean {
  return isAdmin || Object.values(capabilities).includes(true);
}
