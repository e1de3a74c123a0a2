/** Which webhooks an account sees. Only administrators change them and replay their deliveries. */
import { foldersWith } from '../access/access.ts';
import type { Principal } from '../access/principal.ts';

/**
 * The folders whose webhooks the account may see: those that it may push to. Null: all webhooks,
 * also those of the whole installation.
 */
export function visibleWebhookFolders({
  isAdmin,
  grants,
}: Pick<Principal, 'isAdmin' | 'grants'>): string[] | null {
  return isAdmin ? null : foldersWith(grants, 'push');
}
