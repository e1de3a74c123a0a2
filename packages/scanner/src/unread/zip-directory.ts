/**
 * The names in a ZIP archive, from its last bytes: the directory of an archive is at its end
 * (APPNOTE 4.3). It is as strict as Go's `archive/zip`, with which Trivy reads it.
 */

const END = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const LOCATOR = 0x07064b50;
const LOCATOR_LENGTH = 20;
const END_64 = 0x06064b50;
const END_64_LENGTH = 56;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;

/** `beyond`: the directory begins before the given bytes. */
export type ZipDirectory = { names: string[] } | 'beyond' | 'invalid';

/**
 * @param tail The last bytes of the archive.
 * @param size The size of the whole archive.
 */
export function readZipDirectory(tail: Uint8Array, size: number): ZipDirectory {
  const bytes = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength);
  const end = endOf(bytes, size);
  if (end === null) return 'invalid';
  const start = end.at - end.length;
  if (start < 0) return size > bytes.length ? 'beyond' : 'invalid';
  const names: string[] = [];
  for (let at = start; at + ENTRY_LENGTH <= end.at && bytes.readUInt32LE(at) === ENTRY; ) {
    const name = bytes.readUInt16LE(at + 28);
    names.push(bytes.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + name));
    at += ENTRY_LENGTH + name + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names.length % 0x10000 === end.count % 0x10000 ? { names } : 'invalid';
}

/** Where the directory ends, its length, and the number of its entries. */
interface End {
  at: number;
  length: number;
  count: number;
}

function endOf(bytes: Buffer, size: number): End | null {
  const last = bytes.length - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1)
    if (
      bytes.readUInt32LE(at) === END &&
      at + END_LENGTH + bytes.readUInt16LE(at + 20) <= bytes.length
    )
      return end64(bytes, size, at) ?? endAt(bytes, at);
  return null;
}

function endAt(bytes: Buffer, at: number): End {
  return { at, length: bytes.readUInt32LE(at + 12), count: bytes.readUInt16LE(at + 10) };
}

/** For archives with more than 65,535 entries or 4 GiB. */
function end64(bytes: Buffer, size: number, before: number): End | null {
  const locator = before - LOCATOR_LENGTH;
  if (locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR) return null;
  const at = Number(bytes.readBigUInt64LE(locator + 8)) - (size - bytes.length);
  const isInside = at >= 0 && at + END_64_LENGTH <= bytes.length;
  if (!isInside || bytes.readUInt32LE(at) !== END_64) return null;
  const length = Number(bytes.readBigUInt64LE(at + 40));
  return { at, length, count: Number(bytes.readBigUInt64LE(at + 32)) };
}
