/** Whether an account reviews waivers: a hint only, the server decides. */
import type { CurrentUser } from '@portcullis/contract';

export function isReviewer(account: Pick<CurrentUser, 'is_admin' | 'can_bypass_vuln_block'>) {
  return account.is_admin || account.can_bypass_vuln_block;
}
