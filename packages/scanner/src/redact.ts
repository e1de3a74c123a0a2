/**
 * Keeps a report without the image's configuration: `Env`, labels and build history may hold secrets. Reports reach
 * hundreds of megabytes, so only the head is parsed; the results that follow are copied as they are.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '@portcullis/errors';
import { z } from 'zod';

/** The scanner indents by two blanks, so this stands at the top level and nowhere else. */
const RESULTS = '\n  "Results": ';
const MAX_HEAD_BYTES = 16 * 1024 * 1024;

export async function redactReport(from: string, to: string): Promise<void> {
  const start = await readStart(from);
  const cut = start.bytes.indexOf(RESULTS);
  if (cut < 0 && !start.whole) throw unreadable();
  if (cut < 0) return writeFile(to, redactHead(start.bytes.toString('utf8')), { mode: 0o600 });
  const head = start.bytes.subarray(0, cut).toString('utf8').replace(/,\s*$/, '');
  const redacted = redactHead(`${head}\n}`).replace(/\n\}$/, ',');
  await writeFile(to, redacted, { mode: 0o600 });
  await pipeline(createReadStream(from, { start: cut }), createWriteStream(to, { flags: 'a' }));
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

const Head = z.looseObject({
  Metadata: z
    .looseObject({
      ImageConfig: z
        .object({ architecture: z.unknown(), os: z.unknown(), created: z.unknown(), rootfs: z.unknown() })
        .partial()
        .nullish(),
    })
    .nullish(),
});

function redactHead(text: string): string {
  try {
    return JSON.stringify(Head.parse(JSON.parse(text)), null, 2);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): Error {
  return unavailable('SCAN_REPORT_INVALID', "the scanner's report could not be read", { cause });
}
