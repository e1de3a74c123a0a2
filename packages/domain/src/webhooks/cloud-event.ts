/** A message as a CloudEvent 1.0 in JSON (https://github.com/cloudevents/spec). */
import type { WebhookMessage } from './webhook-kinds.ts';

export interface CloudEvent {
  specversion: '1.0';
  id: string;
  /** URI reference of the installation. */
  source: string;
  type: string;
  subject?: string;
  time: string;
  datacontenttype: 'application/json';
  data: Record<string, unknown>;
}

const TYPE_PREFIX = 'io.portcullis.';

/** @param source The public address of the installation. */
export function cloudEvent(message: WebhookMessage, source: string): CloudEvent {
  const { id, kind, time, subject, data } = message;
  return {
    specversion: '1.0',
    id,
    source,
    type: `${TYPE_PREFIX}${kind}`,
    ...(subject !== null && subject !== '' && { subject }),
    time,
    datacontenttype: 'application/json',
    data,
  };
}

/** `job.pushed` of `io.portcullis.job.pushed`. */
export function kindOfType(type: string): string {
  return type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : type;
}
