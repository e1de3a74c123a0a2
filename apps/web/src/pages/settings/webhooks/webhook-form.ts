/** The state of the webhook form and the requests made of it. */
import type { Webhook } from '@portcullis/contract';
import type { RequestFor } from '../../../api/client.ts';
import { changesOf } from '../../../kit/form/draft.ts';
import { type Kind, sortedKinds } from './webhook-kinds.ts';

export interface WebhookForm {
  name: string;
  /** Empty: the stored one is kept. */
  url: string;
  /** Null: the whole installation. */
  folder: string | null;
  format: Webhook['format'];
  /** Whether it gets all kinds; `kinds` are those of a selection. */
  all: boolean;
  kinds: Kind[];
  enabled: boolean;
}

export const EMPTY_FORM: WebhookForm = {
  ...{ name: '', url: '', folder: null, format: 'cloudevents', enabled: true },
  ...{ all: false, kinds: ['image.blocked', 'image.cleared'] },
};

export function formOf({ name, folder, format, kinds, enabled }: Webhook): WebhookForm {
  return { ...{ name, folder, format, kinds, enabled }, url: '', all: kinds.length === 0 };
}

type NewWebhook = RequestFor<'webhooks.createWebhook'>['body'];
type WebhookChange = RequestFor<'webhooks.updateWebhook'>['body'];

export function newWebhookOf(form: WebhookForm): NewWebhook {
  const { folder, format, enabled } = form;
  const { name, url, kinds } = tidied(form);
  return { name, url, folder, format, kinds, enabled };
}

/** Only what differs: saving an enabled webhook must not end its failures. */
export function changeOf(form: WebhookForm, webhook: Webhook): WebhookChange {
  const { name, url, kinds } = tidied(form);
  const { format, enabled } = form;
  const stored = { ...webhook, kinds: sortedKinds(webhook.kinds) };
  return { ...changesOf(stored, { name, format, kinds, enabled }), ...(url !== '' && { url }) };
}

/** What of a stored URL is shown depends on the format, so that another one needs it again. */
export function needsUrl({ url, format }: WebhookForm, webhook: Webhook | null): boolean {
  return url.trim() === '' && (webhook === null || format !== webhook.format);
}

export function isComplete(form: WebhookForm, webhook: Webhook | null): boolean {
  const selected = form.all || form.kinds.length > 0;
  return form.name.trim() !== '' && selected && !needsUrl(form, webhook);
}

function tidied({ name, url, all, kinds }: WebhookForm) {
  return { name: name.trim(), url: url.trim(), kinds: all ? [] : sortedKinds(kinds) };
}
