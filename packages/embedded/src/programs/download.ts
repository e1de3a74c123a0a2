/** Downloads one file over HTTP, streamed to disk. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** @returns null, or why it failed. @throws the signal's reason when aborted */
export async function downloadFile(
  url: string,
  target: string,
  signal?: AbortSignal | undefined,
): Promise<string | null> {
  const { host } = new URL(url);
  try {
    const answer = await fetch(...requestOf(url, signal));
    if (!answer.ok || answer.body === null) return `${host} answered ${answer.status}`;
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(target));
    return null;
  } catch (error) {
    signal?.throwIfAborted();
    return `${host} can't be reached (${causeOf(error)})`;
  }
}

/** `fetch` refuses a URL with credentials and would repeat it in its message. */
function requestOf(url: string, signal: AbortSignal | undefined): [URL, RequestInit] {
  const at = new URL(url);
  const login = `${decodeURIComponent(at.username)}:${decodeURIComponent(at.password)}`;
  const headers =
    at.username === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  at.username = '';
  at.password = '';
  return [at, { headers, ...(signal === undefined ? {} : { signal }) }];
}

export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
