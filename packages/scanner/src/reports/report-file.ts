/**
 * Rewrites the head of one of Trivy's JSON reports without parsing the rest: reports reach hundreds
 * of megabytes. Only what precedes the results is parsed; the results are streamed.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@portcullis/errors';
import { z } from 'zod';

/** Trivy indents by two spaces, so this string occurs only at the top level. */
const RESULTS = '\n  "Results": ';
const MAX_HEAD_BYTES = 16 * 1024 * 1024;

export const ReportHead = z.looseObject({
  ArtifactID: z.string().nullish(),
  Metadata: z
    .looseObject({
      ImageConfig: z
        .object({
          architecture: z.unknown(),
          os: z.unknown(),
          variant: z.unknown(),
          created: z.unknown(),
          rootfs: z.unknown(),
        })
        .partial()
        .nullish(),
    })
    .nullish(),
});
export type ReportHead = z.infer<typeof ReportHead>;

export interface Rewrite {
  head(head: ReportHead): ReportHead;
  /** Transforms the results; they are copied unchanged where it is omitted. */
  results?: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

export async function rewriteReport(from: string, to: string, rewrite: Rewrite): Promise<void> {
  await pipeline(
    rewritten(createReadStream(from), rewrite),
    createWriteStream(to, { mode: 0o600 }),
  );
}

export async function* rewritten(
  report: AsyncIterable<Buffer>,
  { head, results }: Rewrite,
): AsyncGenerator<Buffer> {
  const chunks = report[Symbol.asyncIterator]();
  try {
    const { text, begun } = await readHead(chunks);
    const written = JSON.stringify(head(text), null, 2);
    if (begun === null) return yield Buffer.from(written);
    yield Buffer.from(written.replace(/\n\}$/, ','));
    const rest = following(begun, chunks);
    yield* results ? results(rest) : rest;
  } finally {
    await chunks.return?.();
  }
}

/** `begun`: the first bytes of the results; null where there are none. */
async function readHead(
  chunks: AsyncIterator<Buffer>,
): Promise<{ text: ReportHead; begun: Buffer | null }> {
  const read: Buffer[] = [];
  let size = 0;
  let end = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) return { text: parseHead(Buffer.concat(read).toString('utf8')), begun: null };
    read.push(value);
    size += value.length;
    const searched = Buffer.concat([end, value]);
    if (searched.includes(RESULTS)) break;
    if (size > MAX_HEAD_BYTES) throw unreadable();
    end = searched.subarray(Math.max(0, searched.length - RESULTS.length + 1));
  }
  const bytes = Buffer.concat(read);
  const cut = bytes.indexOf(RESULTS);
  const head = bytes.subarray(0, cut).toString('utf8').replace(/,\s*$/, '');
  return { text: parseHead(`${head}\n}`), begun: bytes.subarray(cut) };
}

async function* following(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function parseHead(text: string): ReportHead {
  try {
    return ReportHead.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): Error {
  return unavailable('SCAN_REPORT_INVALID', "the scanner's report could not be read", { cause });
}
