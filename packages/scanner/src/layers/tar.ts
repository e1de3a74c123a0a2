/**
 * The names in a tar archive (POSIX ustar, with the long names of pax and GNU), and a writer for
 * the small archive of the canary image.
 */
import { type ByteReader, byteReader } from './byte-reader.ts';
import { cleanPath, linkTarget } from './layer-paths.ts';

const BLOCK = 512;

export interface TarName {
  name: string;
  /** `0` for a regular file, as in the header. */
  type: string;
  /** Size of the content in bytes. */
  size: number;
  /** The path of which it is another name, for hard and symbolic links; null for others. */
  linkTo: string | null;
  /**
   * At most so many of the last bytes of its content, or of the first. Only one of the two may be
   * asked, once, before the next entry is read.
   */
  lastBytes(most: number): Promise<Uint8Array>;
  firstBytes(most: number): Promise<Uint8Array>;
}

/** Yields the names in order; content is skipped. @throws Error where it is not a tar archive */
export async function* tarNames(archive: AsyncIterator<Uint8Array>): AsyncGenerator<string> {
  for await (const { name } of tarEntryNames(archive)) yield name;
}

/** Links, devices, directories and pipes have no content, whatever size their headers state. */
const WITHOUT_CONTENT = /^[1-6]$/;

/** The same, with what links refer to, and content on demand. */
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
    if (type === 'g') {
      await reader.skip(pad(sizeOf(header)));
      continue;
    }
    const { entry, finish } = entryOf(header, type, extended, reader);
    extended = {};
    yield entry;
    await finish();
  }
}

function entryOf(header: Uint8Array, type: string, extended: Extended, reader: ByteReader) {
  const size = WITHOUT_CONTENT.test(type) ? 0 : extended.size || sizeOf(header);
  const name = extended.name ?? nameOf(header);
  const link = extended.link ?? textOf(header, 157, 100);
  let left = size;
  async function firstBytes(most: number): Promise<Uint8Array> {
    const bytes = await reader.take(Math.min(left, most));
    if (bytes === null) throw new Error('the tar archive ends too early');
    left -= bytes.length;
    return bytes;
  }
  async function lastBytes(most: number): Promise<Uint8Array> {
    await reader.skip(Math.max(size - most, 0));
    left = Math.min(size, most);
    return firstBytes(most);
  }
  const entry: TarName = {
    name,
    type: type === '\0' ? '0' : type,
    size,
    linkTo: linkIn(type, name, link),
    lastBytes,
    firstBytes,
  };
  async function finish(): Promise<void> {
    await reader.skip(left);
    // Go accepts an archive that ends without the padding of its last entry.
    await reader.take(pad(size) - size);
  }
  return { entry, finish };
}

/** Hard links name a path from the root of the layer. */
function linkIn(type: string, name: string, link: string): string | null {
  if (type === '1') return cleanPath(link);
  return type === '2' ? linkTarget(cleanPath(name), link) : null;
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

function pad(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

async function content(reader: ByteReader, size: number): Promise<string> {
  if (size > MAX_LONG_NAME) throw new Error('a tar header is too long');
  const bytes = await reader.take(pad(size));
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
