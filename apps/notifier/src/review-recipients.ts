/** The accounts that a notification about a review request is for, with the rights of now. */
import type { NotificationDraft } from '@portcullis/domain';
import type { Mailable, Store } from '@portcullis/store';

export interface RecipientPorts {
  users: Pick<Store['users'], 'find'>;
  reviews: Pick<Store['reviews'], 'reviewersOf' | 'participantsOf'>;
}

/** Null for other notifications. */
export async function reviewRecipients(
  { kind, to }: Pick<NotificationDraft, 'kind' | 'to'>,
  { users, reviews }: RecipientPorts,
): Promise<Mailable[] | null> {
  if ('decidersOf' in to) return reviews.reviewersOf(to.decidersOf);
  if ('participantsOf' in to) return reviews.participantsOf(to.participantsOf, to.but);
  if (kind !== 'review.decided' || !('accounts' in to)) return null;
  const found = await Promise.all(to.accounts.map((id) => users.find(id)));
  return found.flatMap((user) => (user && !user.disabled ? [user] : []));
}
