/** One attempt of a delivery: a signed POST that follows no redirect and reads 4 KiB at most. */
import {
  type CloudEvent,
  type WebhookAnswer,
  webhookBody,
  webhookContentType,
} from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { webhookHeaders } from '@portcullis/notify';
import type { Transport } from '@portcullis/oci/remote';
import type { ClaimedDelivery } from '@portcullis/store';

const TIMEOUT_MS = 10_000;
const MOST_ANSWER_BYTES = 4_096;

export interface SentWebhook extends WebhookAnswer {
  at: Date;
  /** What failed; null where the receiver accepted it. */
  code: string | null;
  durationMs: number;
}

interface AttemptOptions {
  transport: Pick<Transport, 'send'>;
  /** Now: receivers refuse a signature of another time. */
  at: Date;
  stopped: AbortSignal;
}

/** Never throws for what the receiver, the network or the egress rule does. */
export async function sendWebhook(
  { eventId, body, webhook }: ClaimedDelivery,
  { transport, at, stopped }: AttemptOptions,
): Promise<SentWebhook> {
  const started = performance.now();
  const text = webhookBody(JSON.parse(body) as CloudEvent, webhook.format);
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const asSent = (answer: WebhookAnswer & { code: string | null }): SentWebhook => ({
    ...answer,
    at,
    durationMs: Math.round(performance.now() - started),
  });
  try {
    const { status, headers } = await transport.send({
      method: 'POST',
      url: new URL(webhook.url),
      headers: {
        'content-type': webhookContentType(webhook.format),
        ...webhookHeaders({ id: eventId, at, body: text }, webhook.secrets),
      },
      body: bodyOf(text),
      trust: { verify: true },
      follow: false,
      retry: false,
      maxBytes: MOST_ANSWER_BYTES,
      cut: true,
      signal: AbortSignal.any([stopped, late]),
    });
    return asSent({
      status,
      code: codeOf(status),
      retryAfterMs: retryAfterMs(headers['retry-after']),
    });
  } catch (error) {
    if (stopped.aborted) throw error;
    const code = late.aborted ? 'WEBHOOK_TIMEOUT' : faultOf(error);
    return asSent({ status: null, code, retryAfterMs: null });
  }
}

function bodyOf(text: string) {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    async open() {
      return (async function* () {
        yield bytes;
      })();
    },
  };
}

function codeOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'WEBHOOK_REDIRECTED' : 'WEBHOOK_REFUSED';
}

/** The transport's own codes speak of registries. */
function faultOf(error: unknown): string {
  if (!isAppError(error)) return 'WEBHOOK_UNREACHABLE';
  if (error.code === 'REGISTRY_TLS_FAILED') return 'WEBHOOK_TLS_FAILED';
  return KEPT.test(error.code) ? error.code : 'WEBHOOK_UNREACHABLE';
}

const KEPT = /^(?:EGRESS_[A-Z_]+|HOST_UNRESOLVED)$/;

/** The form with a date is treated as absent. */
function retryAfterMs(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : null;
}
