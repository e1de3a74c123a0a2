/** The single byte range of a request (RFC 9110 § 14.1.2), in its plain forms. */

export interface ByteRange {
  /** The offset of the first byte. */
  start: number;
  /** The offset of the last byte, inclusive. */
  end: number;
}

const PLAIN = /^bytes=(\d{0,15})-(\d{0,15})$/;

/** @returns null for other forms and for ranges outside the content: the registry answers those */
export function plainRange(header: string, size: number): ByteRange | null {
  const [, first, last] = PLAIN.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (start >= size || (last !== '' && Number(last) < start)) return null;
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
