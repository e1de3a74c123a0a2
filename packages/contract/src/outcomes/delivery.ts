/** The result of a test delivery by syslog or e-mail. */
import { z } from 'zod';

/**
 * The result of a delivery; the status is 502 if the collector or mail server did not accept it.
 */
export const Delivery = z.strictObject({
  /** Null for UDP, which has no acknowledgement. */
  delivered: z.boolean().nullable(),
  recipients: z.array(z.strictObject({ address: z.string(), accepted: z.boolean() })).optional(),
  /** The protocol exchange, without credentials. */
  transcript: z.array(z.string()),
  /** Why it was not delivered: one of `DELIVERY_FAULTS`, or of the egress rules. */
  code: z.string().optional(),
  params: z.record(z.string(), z.string()).optional(),
  /** `code` and `params` in English. */
  error: z.string().optional(),
  /**
   * The mail server refused the message with a 5xx, so that a retry would be refused too.
   * Notifications like it are set aside.
   */
  final: z.boolean().optional(),
});
export type Delivery = z.infer<typeof Delivery>;
