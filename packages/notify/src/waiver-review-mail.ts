/** The mails of a review: to reviewers about requests, and to the requester about the decision. */
import type { AuditEvent } from '@portcullis/events';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';
import { waiverLines } from './waiver-mail.ts';

/** @param event `WAIVERS_WAITING`, with the waivers that this reviewer may see */
export function waitingMail({ id, detail }: Pick<AuditEvent, 'id' | 'detail'>): Mail {
  const { lines, count, first } = waiverLines(detail);
  const subject =
    first !== null && count === 1
      ? `a waiver of ${first} waits for your review`
      : `${count} waivers wait for your review`;
  const text = ['These waivers were requested. Review them on the page under “Waivers”.', ''];
  return mailOf(id, subject, [...text, ...lines]);
}

export interface DecidedWaiver {
  vulnerability: string;
  decision: 'approved' | 'rejected' | 'revoked';
  /** The username of the account that decided. */
  by: string;
  reason: string | null;
}

export function decidedMail(id: string, waiver: DecidedWaiver): Mail {
  const { vulnerability, decision, by, reason } = waiver;
  const what = `Your waiver of ${vulnerability} was ${decision} by ${by}.`;
  const why = reason === null ? [] : [`Reason: ${oneLine(reason, 500)}`];
  return mailOf(id, `your waiver of ${vulnerability} was ${decision}`, [
    oneLine(what, 500),
    ...why,
  ]);
}

function mailOf(id: string, subject: string, lines: string[]): Mail {
  return {
    subject: `[Portcullis] ${oneLine(subject, 120)}`,
    text: `${lines.join('\n')}\n`,
    messageId: `<${id}.review@portcullis>`,
    attachment: null,
  };
}
