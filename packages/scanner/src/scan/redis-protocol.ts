/** Commands in the protocol of Redis (RESP § Sending commands): arrays of bulk strings. */

/** The first command and where it ends; null where it is incomplete or invalid. */
export function readCommand(bytes: Buffer): { words: string[]; end: number } | null {
  const count = lengthAt(bytes, 0, '*');
  const words: string[] = [];
  let at = count?.end ?? 0;
  for (let n = 0; n < (count?.value ?? 0); n++) {
    const length = lengthAt(bytes, at, '$');
    if (!length || bytes.length < length.end + length.value + 2) return null;
    words.push(bytes.toString('utf8', length.end, length.end + length.value));
    at = length.end + length.value + 2;
  }
  return words.length === 0 ? null : { words, end: at };
}

/** Reads `*3\r\n` or `$12\r\n`; null where it is incomplete or invalid. */
export function lengthAt(
  bytes: Buffer,
  from: number,
  mark: '*' | '$',
): { value: number; end: number } | null {
  const end = bytes.indexOf('\r\n', from);
  const text = end < 0 ? '' : bytes.toString('latin1', from, end);
  return text.startsWith(mark) && /^.\d{1,10}$/.test(text)
    ? { value: Number(text.slice(1)), end: end + 2 }
    : null;
}

export function writeCommand(words: readonly string[]): Buffer {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return Buffer.from(`*${words.length}\r\n${parts.join('')}`);
}
