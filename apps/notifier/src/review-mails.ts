/** The mails about review requests that an audit event leads to: those of the page, by mail. */
import { isMailAddress, notificationsOf } from '@portcullis/domain';
import type { AuditEvent } from '@portcullis/events';
import { type Mail, reviewMail } from '@portcullis/notify';
import type { Store } from '@portcullis/store';
import { type RecipientPorts, reviewRecipients } from './review-recipients.ts';

export interface ReviewMailPorts extends RecipientPorts {
  notifications: Pick<Store['notifications'], 'withoutMail'>;
  /** The address of the page; null where it is not set. */
  site: string | null;
}

interface AddressedMail {
  address: string;
  mail: Mail;
}

export async function reviewMails(
  event: AuditEvent,
  ports: ReviewMailPorts,
): Promise<AddressedMail[]> {
  const mails: AddressedMail[] = [];
  for (const draft of notificationsOf(event)) {
    const recipients = (await reviewRecipients(draft, ports)) ?? [];
    const ids = recipients.map(({ id }) => id);
    const without = await ports.notifications.withoutMail(draft.kind, ids);
    for (const { id, email: address } of recipients)
      if (address !== null && isMailAddress(address) && !without.has(id))
        mails.push({ address, mail: reviewMail(draft, ports.site) });
  }
  return mails;
}
