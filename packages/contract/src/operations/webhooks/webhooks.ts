/** Webhooks: addresses that events are sent to, and what was delivered to them. */
import { WEBHOOK_FORMATS, WEBHOOK_KINDS, webhookAddress } from '@portcullis/domain';
import { z } from 'zod';
import { PAGING, Time, Uuid } from '../../common.ts';
import { rule } from '../../field-faults.ts';
import type { Contract } from '../../operation.ts';
import { isOneLine, NONBLANK_LINE, WEBHOOK_URL } from '../../patterns.ts';
import { FolderName } from '../folders.ts';

const Kinds = z.array(z.enum(WEBHOOK_KINDS));

export const Webhook = z.strictObject({
  id: Uuid,
  name: z.string(),
  /** Null: the events of the whole installation. */
  folder: z.string().nullable(),
  /**
   * Without its query, and without the path that Slack and Teams give out: these are secrets. Other
   * accounts than administrators see the host only.
   */
  url: z.string(),
  format: z.enum(WEBHOOK_FORMATS),
  /** Empty: all. */
  kinds: Kinds,
  enabled: z.boolean(),
  /** Why it was disabled without a request: a day of failures, or the status 410. */
  disabled_reason: z.enum(['failing', 'gone']).nullable(),
  /** Since when no delivery has succeeded; null: the last one did. */
  failing_since: Time.nullable(),
  /** Null: nothing was sent yet. */
  last_attempt: z
    .strictObject({
      at: Time,
      /** The HTTP status; null: no answer. */
      status: z.number().int().nullable(),
      /** What failed; null where it was delivered. */
      code: z.string().nullable(),
    })
    .nullable(),
  /** Until when deliveries are also signed with the secret before the last rotation. */
  previous_secret_until: Time.nullable(),
  created_by: z.string(),
  created_at: Time,
});
export type Webhook = z.infer<typeof Webhook>;

/** The secret is shown in this reply only. */
export const MadeWebhook = Webhook.extend({ secret: z.string() });
export type MadeWebhook = z.infer<typeof MadeWebhook>;

const Url = z
  .string()
  .trim()
  .refine(
    (text) => webhookAddress(text) !== null,
    rule('URL_INVALID', 'An http or https URL without user, password and fragment is expected.'),
  )
  .meta({
    pattern: WEBHOOK_URL,
    maxLength: 2_048,
    description: 'Other characters are accepted as browsers accept them.',
  });

const FIELDS = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .refine(isOneLine, rule('NOT_ONE_LINE', 'One line of text is expected.'))
    .meta({ pattern: NONBLANK_LINE }),
  url: Url,
  format: z.enum(WEBHOOK_FORMATS),
  /** Empty: all. */
  kinds: Kinds.max(WEBHOOK_KINDS.length),
  enabled: z.boolean(),
};

export const NewWebhook = z.strictObject({
  ...FIELDS,
  /** Null: the events of the whole installation. */
  folder: FolderName.nullable().default(null),
  format: FIELDS.format.default('cloudevents'),
  kinds: FIELDS.kinds.default([]),
  enabled: FIELDS.enabled.default(true),
});
export type NewWebhook = z.infer<typeof NewWebhook>;

/** An absent field is kept. Another format needs the URL again. */
export const WebhookChange = z.strictObject(FIELDS).partial();
export type WebhookChange = z.infer<typeof WebhookChange>;

export const WebhookDelivery = z.strictObject({
  id: Uuid,
  /** One of the kinds, or `webhook.test`. */
  kind: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  /** Since it was queued, or queued again by a replay. */
  attempts: z.number().int(),
  /** The HTTP status of the last attempt; null: no answer, or no attempt yet. */
  status: z.number().int().nullable(),
  /** What failed in the last attempt; null where it was delivered, or not tried yet. */
  code: z.string().nullable(),
  /** The id of the event, which receivers get as `webhook-id`. */
  event_id: z.string(),
  created_at: Time,
  /** Null where it is not waiting. */
  next_attempt_at: Time.nullable(),
  /** Of the last attempt, as is its duration; null before the first one. */
  attempted_at: Time.nullable(),
  duration_ms: z.number().int().nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  /** The request's body as text, in the format that the webhook has now. */
  body: z.string(),
});
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

const WebhookParams = z.strictObject({ id: Uuid });
const DeliveryParams = z.strictObject({ id: Uuid, delivery_id: Uuid });
const UNKNOWN = { status: 404, codes: ['WEBHOOK_UNKNOWN'] };
const NO_DELIVERY = { status: 404, codes: ['WEBHOOK_UNKNOWN', 'DELIVERY_UNKNOWN'] };
/** The egress rule refuses the address. */
const CLOSED = ['URL_DENIED', 'URL_PRIVATE'];

export const webhooks = {
  listWebhooks: {
    method: 'get',
    path: '/webhooks',
    summary:
      'Webhooks of folders that the caller may push to, by name; for an administrator, all webhooks',
    access: 'user',
    success: { status: 200, body: z.array(Webhook) },
  },
  createWebhook: {
    method: 'post',
    path: '/webhooks',
    summary: 'Create a webhook; its secret is shown only once',
    access: 'admin',
    audit: 'webhook.create',
    body: NewWebhook,
    success: { status: 201, body: MadeWebhook },
    faults: [
      { status: 409, codes: ['WEBHOOKS_MANY'] },
      { status: 422, codes: ['FOLDER_UNKNOWN', ...CLOSED] },
    ],
  },
  getWebhook: {
    method: 'get',
    path: '/webhooks/{id}',
    summary: 'One webhook',
    access: 'user',
    params: WebhookParams,
    success: { status: 200, body: Webhook },
    faults: [UNKNOWN],
  },
  updateWebhook: {
    method: 'patch',
    path: '/webhooks/{id}',
    summary: 'Change a webhook; enabling it ends what disabled it',
    access: 'admin',
    audit: 'webhook.update',
    params: WebhookParams,
    body: WebhookChange,
    success: { status: 200, body: Webhook },
    faults: [UNKNOWN, { status: 422, codes: CLOSED }],
  },
  removeWebhook: {
    method: 'delete',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook with its deliveries',
    access: 'admin',
    audit: 'webhook.delete',
    params: WebhookParams,
    success: { status: 204 },
    faults: [UNKNOWN],
  },
  rotateSecret: {
    method: 'post',
    path: '/webhooks/{id}/secret',
    summary:
      'Replace the secret; it is shown only once, and for a day deliveries are signed with the former one as well',
    access: 'admin',
    audit: 'webhook.rotate_secret',
    params: WebhookParams,
    success: { status: 200, body: MadeWebhook },
    faults: [UNKNOWN],
  },
  testWebhook: {
    method: 'post',
    path: '/webhooks/{id}/test',
    summary: 'Queue a test message, whatever kinds the webhook asks for',
    access: 'admin',
    audit: 'webhook.test',
    params: WebhookParams,
    success: { status: 202, body: WebhookDelivery },
    faults: [UNKNOWN, { status: 409, codes: ['DELIVERIES_MANY', 'WEBHOOK_DISABLED'] }],
  },
  listDeliveries: {
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    summary: 'What a webhook has to deliver and has delivered, newest first',
    access: 'user',
    params: WebhookParams,
    query: z.strictObject({ ...PAGING, state: WebhookDelivery.shape.state.optional() }),
    success: { status: 200, body: z.array(WebhookDelivery) },
    faults: [UNKNOWN],
  },
  getDelivery: {
    method: 'get',
    path: '/webhooks/{id}/deliveries/{delivery_id}',
    summary: 'One delivery with its body',
    access: 'user',
    params: DeliveryParams,
    success: { status: 200, body: WebhookDeliveryDetail },
    faults: [NO_DELIVERY],
  },
  replayDelivery: {
    method: 'post',
    path: '/webhooks/{id}/deliveries/{delivery_id}/replay',
    summary: 'Queue a delivery again, whatever became of it; receivers get the same id',
    access: 'admin',
    audit: 'webhook.replay',
    params: DeliveryParams,
    success: { status: 202, body: WebhookDelivery },
    faults: [NO_DELIVERY, { status: 409, codes: ['WEBHOOK_DISABLED'] }],
  },
} as const satisfies Contract;
