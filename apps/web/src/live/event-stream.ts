/** Reads server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** `onChunk` is called for every chunk, comments included: they are the server's heartbeat. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  // Safari cannot iterate a ReadableStream.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
