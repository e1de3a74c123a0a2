/** Parses server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface ServerEvent {
  id: string;
  event: string;
  data: string;
}

/** `heard` is called for every chunk, comments included: they are the server's heartbeat. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(body)) {
    heard();
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parse(block);
      if (event.data !== '') yield event;
    }
  }
}

/** Safari cannot iterate a ReadableStream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(block: string): ServerEvent {
  const fields = block.split(/\r?\n/).map((line) => /^([^:]*):? ?(.*)$/.exec(line));
  const all = (name: string) =>
    fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? '');
  return {
    id: all('id').at(-1) ?? '',
    event: all('event').at(-1) ?? 'message',
    data: all('data').join('\n'),
  };
}
