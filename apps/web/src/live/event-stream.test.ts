import { expect, it } from 'vitest';
import { readEvents } from './event-stream.ts';

function stream(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

it.each<[string, string[], object[]]>([
  [
    'an event',
    ['id: 1-0\nevent: job\ndata: {"a":1}\n\n'],
    [{ id: '1-0', event: 'job', data: '{"a":1}' }],
  ],
  ['an event that is cut in the middle', ['id: 1\nda', 'ta: x\n', '\n'], [{ id: '1', data: 'x' }]],
  ['several events in one chunk', ['data: a\n\ndata: b\n\n'], [{ data: 'a' }, { data: 'b' }]],
  ['data of several lines', ['data: a\ndata: b\n\n'], [{ data: 'a\nb' }]],
  ['neither comments nor retry fields', [': beat\n\nretry: 2000\n\n'], []],
  ['no incomplete event', ['data: half'], []],
  ['data with colons, without a space, and CRLF', ['data:a: b\r\n\r\n'], [{ data: 'a: b' }]],
])('reads %s', async (_, chunks, events) => {
  const read = [];
  for await (const event of readEvents(stream(...chunks), () => {})) read.push(event);
  expect(read).toHaveLength(events.length);
  expect(read).toMatchObject(events);
});

it('reports every chunk, including comments', async () => {
  let count = 0;
  for await (const _ of readEvents(stream(': beat\n\n', ': beat\n\n'), () => count++)) break;
  expect(count).toBe(2);
});
