/**
 * Strict tar reader with content, for comparing an archive with its table of contents. It is our
 * own because it has to be stricter than any library: whatever Go's `archive/tar`, libarchive and
 * we might read differently is refused, and the layer then counts as unverified.
 */
import { type ByteReader, byteReader } from './byte-reader.ts';

export interface TarEntry {
  type: EntryType;
  name: string;
  /** Target of a hard or symbolic link; otherwise empty. */
  linkName: string;
  size: number;
  /** The caller must read it to its end before the next entry. */
  content(): AsyncGenerator<Uint8Array>;
}

export type EntryType = 'reg' | 'hardlink' | 'symlink' | 'char' | 'block' | 'dir' | 'fifo';

const TYPES: Readonly<Record<string, EntryType>> = {
  '0': 'reg',
  '\0': 'reg',
  '1': 'hardlink',
  '2': 'symlink',
  '3': 'char',
  '4': 'block',
  '5': 'dir',
  '6': 'fifo',
};

const BLOCK = 512;
const MAX_EXTENDED = 1024 * 1024;

/** @throws Error where it is not a tar archive, or one that programs may read differently */
export async function* tarEntries(archive: AsyncIterator<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = byteReader(archive);
  let extended: Extended = {};
  for (;;) {
    const header = await nextHeader(reader);
    if (header === null) {
      if (Object.keys(extended).length > 0) throw ambiguous();
      return;
    }
    const flag = String.fromCharCode(header[156] ?? 0);
    if (flag === 'x' || flag === 'L' || flag === 'K') {
      extended = await withExtension(extended, flag, await extension(reader, header));
      continue;
    }
    const { entry, finish } = entryOf(header, flag, extended, reader);
    extended = {};
    yield entry;
    await finish();
  }
}

/** Null at the end of the archive: two zero blocks, or the end of the data. */
async function nextHeader(reader: ByteReader): Promise<Uint8Array | null> {
  const header = await reader.take(BLOCK);
  if (header === null) return null;
  if (header.some((byte) => byte !== 0)) {
    assertChecksum(header);
    return header;
  }
  const second = await reader.take(BLOCK);
  if (second?.some((byte) => byte !== 0)) throw ambiguous();
  return null;
}

function assertChecksum(header: Uint8Array): void {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  if (numberIn(header, 148, 8) !== sum) throw ambiguous();
}

interface Extended {
  path?: string;
  linkpath?: string;
  size?: string;
}

async function extension(reader: ByteReader, header: Uint8Array): Promise<Uint8Array> {
  const size = numberIn(header, 124, 12);
  if (size > MAX_EXTENDED) throw ambiguous();
  const bytes = await reader.take(Math.ceil(size / BLOCK) * BLOCK);
  if (bytes === null) throw ambiguous();
  return bytes.subarray(0, size);
}

async function withExtension(known: Extended, flag: string, bytes: Uint8Array): Promise<Extended> {
  const found =
    flag === 'x' ? recordsIn(bytes) : { [flag === 'L' ? 'path' : 'linkpath']: longText(bytes) };
  if (Object.keys(found).some((name) => name in known)) throw ambiguous();
  return { ...known, ...found };
}

function longText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return text(end < 0 ? bytes : bytes.subarray(0, end));
}

/** pax records: `length name=value\n`, one after the other. */
function recordsIn(bytes: Uint8Array): Extended {
  const found = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const digits = Buffer.from(bytes.subarray(at, Math.max(at, space))).toString('latin1');
    const end = at + Number(digits);
    const record = bytes.subarray(space + 1, end);
    const equals = record.indexOf(0x3d);
    if (
      !/^[1-9]\d{0,6}$/.test(digits) ||
      end > bytes.length ||
      equals < 1 ||
      record.at(-1) !== 0x0a
    )
      throw ambiguous();
    const name = text(record.subarray(0, equals));
    if (found.has(name) || name.startsWith('GNU.sparse')) throw ambiguous();
    // Other records are times, owners and extended attributes, with arbitrary bytes.
    found.set(name, USED.has(name) ? text(record.subarray(equals + 1, -1)) : '');
    at = end;
  }
  return Object.fromEntries([...found].filter(([name]) => USED.has(name)));
}

const USED = new Set(['path', 'linkpath', 'size']);

function entryOf(header: Uint8Array, flag: string, extended: Extended, reader: ByteReader) {
  const type = TYPES[flag];
  if (type === undefined) throw ambiguous();
  const size = extended.size === undefined ? numberIn(header, 124, 12) : decimal(extended.size);
  const name = extended.path ?? nameIn(header);
  const linkName = extended.linkpath ?? textIn(header, 157, 100);
  const isLink = type === 'hardlink' || type === 'symlink';
  // Readers disagree on whether these have content, and on whether a file whose name ends with a
  // slash is a directory.
  if (type === 'reg' ? name.endsWith('/') : size !== 0) throw ambiguous();
  if (name === '' || (isLink && linkName === '')) throw ambiguous();
  let left = size;
  async function* content(): AsyncGenerator<Uint8Array> {
    while (left > 0) {
      const bytes = await reader.take(Math.min(left, CHUNK));
      if (bytes === null) throw ambiguous();
      left -= bytes.length;
      yield bytes;
    }
  }
  async function finish(): Promise<void> {
    if (left > 0) throw new Error('the content of an entry was not read');
    await reader.skip((BLOCK - (size % BLOCK)) % BLOCK);
  }
  const entry: TarEntry = { type, name, linkName: isLink ? linkName : '', size, content };
  return { entry, finish };
}

const CHUNK = 64 * 1024;

/** Only POSIX headers have a prefix: in GNU's the same bytes are times. */
function nameIn(header: Uint8Array): string {
  const isPosix = Buffer.from(header.subarray(257, 265)).toString('latin1') === 'ustar\x0000';
  const prefix = isPosix ? textIn(header, 345, 155) : '';
  const name = textIn(header, 0, 100);
  return prefix ? `${prefix}/${name}` : name;
}

function textIn(header: Uint8Array, at: number, length: number): string {
  return longText(header.subarray(at, at + length));
}

function text(bytes: Uint8Array): string {
  const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  if (read.includes('\0')) throw ambiguous();
  return read;
}

function decimal(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw ambiguous();
  return Number(digits);
}

/** Octal, or base 256 with the top bit set (GNU, for files of 8 GiB and more). */
function numberIn(header: Uint8Array, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  const value = (field[0] ?? 0) & 0x80 ? base256(field) : octal(field);
  if (!Number.isSafeInteger(value)) throw ambiguous();
  return value;
}

function base256(field: Uint8Array): number {
  if (field[0] !== 0x80) throw ambiguous();
  return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
}

function octal(field: Uint8Array): number {
  const [, digits] = /^[ ]*([0-7]*)[ \0]*$/.exec(Buffer.from(field).toString('latin1')) ?? [];
  if (digits === undefined) throw ambiguous();
  return Number.parseInt(digits || '0', 8);
}

function ambiguous(): Error {
  return new Error('this is no tar archive that all programs read alike');
}
