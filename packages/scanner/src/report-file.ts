/**
 * Rewrites one of the scanner's JSON reports without reading all of it: reports reach hundreds of megabytes. Only the
 * head before the results is parsed; the results are copied as a stream.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@portcullis/errors';
import { z } from 'zod';

/** The scanner indents by two blanks, so this occurs at the top level and nowhere else. */
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
  /** Copied as they are where it is left out. */
  results?: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

export async function rewriteReport(from: string, to: string, { head, results }: Rewrite): Promise<void> {
  const { text, resultsAt } = await readHead(from);
  const written = JSON.stringify(head(text), null, 2);
  if (resultsAt === null) return writeFile(to, written, { mode: 0o600 });
  await writeFile(to, written.replace(/\n\}$/, ','), { mode: 0o600 });
  await pipeline(
    createReadStream(from, { start: resultsAt }),
    results ?? ((chunks) => chunks),
    createWriteStream(to, { flags: 'a' }),
  );
}

async function readHead(path: string): Promise<{ text: ReportHead; resultsAt: number | null }> {
  const start = await readStart(path);
  const cut = start.bytes.indexOf(RESULTS);
  if (cut < 0 && !start.whole) throw unreadable();
  if (cut < 0) return { text: parseHead(start.bytes.toString('utf8')), resultsAt: null };
  const head = start.bytes.subarray(0, cut).toString('utf8').replace(/,\s*$/, '');
  return { text: parseHead(`${head}\n}`), resultsAt: cut };
}

async function readStart(path: string): Promise<{ bytes: Buffer; whole: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, MAX_HEAD_BYTES));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytes: buffer.subarray(0, filled), whole: filled === size };
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
