/** Signs deliveries as Standard Webhooks does (https://www.standardwebhooks.com). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Text that receivers configure as it is: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedMessage {
  id: string;
  /** When this attempt is sent; receivers refuse old ones. */
  at: Date;
  body: string;
}

/** @param secrets The current one first; while a rotation overlaps, also the one before. */
export function webhookHeaders(
  { id, at, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(content, secret)}`).join(' '),
  };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
