/**
 * The names in a tar archive (POSIX ustar, with the long names of pax and GNU), and a writer for
 * the small archive of the canary image.
 */
import { type ByteReader, byteReader } from './byte-reader.ts';

const BLOCK = 512;

export interface TarName {
  name: string;
  /** The file of which it is another name, with the same content; null for all but hard links. */
  hardLinkTo: string | null;
}

/** Yields the names in order; content is skipped. @throws Error where it is not a tar archive */
export async function* tarNames(archive: AsyncIterator<Uint8Array>): AsyncGenerator<string> {
  for await (const { name } of tarEntryNames(archive)) yield name;
}

/** The same, with what hard links refer to. */
export async function* tarEntryNames(archive: AsyncIterator<Uint8Array>): AsyncGenerator<TarName> {
  const reader = byteReader(archive);
  let extended: Extended = {};
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header === null || header.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x' || type === 'L' || type === 'K') {
      extended = { ...extended, ...extensionIn(type, await content(reader, sizeOf(header))) };
      continue;
    }
    await reader.skip(padded((type !== 'g' && extended.size) || sizeOf(header)));
    if (type === 'g') continue;
    const link = extended.link ?? textOf(header, 157, 100);
    yield { name: extended.name ?? nameOf(header), hardLinkTo: type === '1' ? link : null };
    extended = {};
  }
}

/** An archive of regular files, built in memory. */
export function tarOf(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).flatMap(([name, text]) => {
    const body = Buffer.from(text);
    return [
      headerOf(name, body.length),
      body,
      Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK),
    ];
  });
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  header.write(name, 0, 100, 'utf8');
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.fill(' ', 148, 156);
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

const MAX_LONG_NAME = 1024 * 1024;

/** What precedes an entry and overrides its header. */
interface Extended {
  name?: string;
  link?: string;
  size?: number;
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

async function content(reader: ByteReader, size: number): Promise<string> {
  if (size > MAX_LONG_NAME) throw new Error('a tar header is too long');
  const bytes = await reader.take(padded(size));
  if (bytes === null) throw new Error('the tar archive ends too early');
  return Buffer.from(bytes.subarray(0, size)).toString('utf8');
}

/** Files of 8 GiB and more have their size in a pax header. */
function extensionIn(type: string, text: string): Extended {
  if (type === 'L') return { name: text.replace(/\0+$/, '') };
  if (type === 'K') return { link: text.replace(/\0+$/, '') };
  const name = /(?:^|\n)\d+ path=(.*)\n/.exec(text)?.[1];
  const link = /(?:^|\n)\d+ linkpath=(.*)\n/.exec(text)?.[1];
  const size = /(?:^|\n)\d+ size=(\d{1,15})\n/.exec(text)?.[1];
  return {
    ...(name !== undefined && { name }),
    ...(link !== undefined && { link }),
    ...(size && { size: Number(size) }),
  };
}

function nameOf(header: Uint8Array): string {
  const name = textOf(header, 0, 100);
  const prefix = textOf(header, 257, 5) === 'ustar' ? textOf(header, 345, 155) : '';
  return prefix ? `${prefix}/${name}` : name;
}

function textOf(header: Uint8Array, at: number, length: number): string {
  return Buffer.from(header.subarray(at, at + length))
    .toString('utf8')
    .replace(/\0.*$/s, '');
}

/** Octal, or base 256 with the top bit set (GNU, for files of 8 GiB and more). */
function sizeOf(header: Uint8Array): number {
  const field = header.subarray(124, 136);
  if ((field[0] ?? 0) & 0x80) return field.subarray(4).reduce((sum, byte) => sum * 256 + byte, 0);
  const size = Number.parseInt(textOf(header, 124, 12).trim() || '0', 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('this is no tar archive');
  return size;
}
