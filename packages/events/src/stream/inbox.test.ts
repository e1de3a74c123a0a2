import { describe, expect, it } from 'vitest';
import { createInbox } from './inbox.ts';

async function take<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

describe('an inbox', () => {
  it('returns entries that arrive before and while the reader waits, until the abort', async () => {
    const end = new AbortController();
    const inbox = createInbox<number>(end.signal);
    inbox.put(1);
    const taken = take(inbox);
    await Promise.resolve();
    inbox.put(2);
    setTimeout(() => end.abort());
    expect(await taken).toEqual([1, 2]);
  });

  it('ends after the queued entries when its reader is too slow', async () => {
    const inbox = createInbox<number>(new AbortController().signal, 2);
    for (const item of [1, 2, 3, 4]) inbox.put(item);
    expect(await take(inbox)).toEqual([1, 2]);
  });

  it('ends at once when it was aborted before', async () => {
    expect(await take(createInbox(AbortSignal.abort()))).toEqual([]);
  });
});
