/** Names of the audit events of changed standings, which the notifier mails to owners. */
export const IMAGE_BLOCKED = 'image.blocked';
export const IMAGE_CLEARED = 'image.cleared';
export const VULNERABILITY_APPEARED = 'vulnerability.appeared';
