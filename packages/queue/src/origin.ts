/** What a queue entry says of the request that it was made for: the request's id, and its trace. */
import {
  type Attributes,
  continuingTrace,
  forRequest,
  requestIdNow,
  traced,
  traceparentNow,
} from '@portcullis/runtime';
import type { QueueEntry } from './connection.ts';

interface Origin {
  requestId?: string;
  traceparent?: string;
}

/**
 * Adds an entry within a span, and passes `add` the fields that the entry has to have.
 * @param name of the queue or the task, never an id
 */
export function sending<T>(
  name: string,
  attributes: Attributes,
  add: (fields: { origin?: Origin }) => Promise<T>,
): Promise<T> {
  return traced({ name: `send ${name}`, kind: 'producer', attributes }, () => add(fieldsNow()));
}

function fieldsNow(): { origin?: Origin } {
  const [requestId, traceparent] = [requestIdNow(), traceparentNow()];
  if (requestId === null && traceparent === null) return {};
  return {
    origin: {
      ...(requestId !== null && { requestId }),
      ...(traceparent !== null && { traceparent }),
    },
  };
}

/** Runs the handler of an entry on behalf of the request that it was made for. */
export function onBehalf<T>(entry: QueueEntry, work: () => T): T {
  const { requestId = null, traceparent } = originOf(entry);
  return forRequest(requestId, () => continuingTrace(traceparent, work));
}

/** Only the trace: the row says for which request it is. */
export function continuing<T>(entry: QueueEntry, work: () => T): T {
  return continuingTrace(originOf(entry).traceparent, work);
}

/** Whether an entry continues a trace. */
export function isOfTrace(entry: QueueEntry): boolean {
  return originOf(entry).traceparent !== undefined;
}

/** Only `sending` writes it. */
function originOf({ origin }: QueueEntry): Origin {
  return (origin ?? {}) as Origin;
}
