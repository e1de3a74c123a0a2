/** The address of a webhook: which ones are accepted, and how much of one is shown. */
import type { WebhookFormat } from './webhook-kinds.ts';

const LONGEST_ADDRESS = 2_048;

/** Null for what is no http or https address, or has a user, a password or a fragment. */
export function webhookAddress(text: string): URL | null {
  const url = text.length <= LONGEST_ADDRESS ? URL.parse(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  return url;
}

/** For accounts that may see a webhook but not change it: paths may contain secrets, too. */
export function webhookOrigin(text: string): string {
  const url = URL.parse(text);
  return url === null ? '' : `${url.origin}/…`;
}

/** Queries, and the paths that Slack and Teams give out, are secrets: they are never shown. */
export function shownWebhookAddress(text: string, format: WebhookFormat): string {
  const url = URL.parse(text);
  if (url === null) return '';
  if (format !== 'cloudevents') return webhookOrigin(text);
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
