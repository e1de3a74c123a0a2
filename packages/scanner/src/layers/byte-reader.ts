/** Reads a given number of bytes at a time from chunks of any size. */
export interface ByteReader {
  /** The next bytes, or null where fewer are left. */
  take(length: number): Promise<Uint8Array | null>;
  /** @throws Error where fewer are left */
  skip(length: number): Promise<void>;
}

export function byteReader(source: AsyncIterator<Uint8Array>): ByteReader {
  let rest: Uint8Array = new Uint8Array(0);
  const more = async () => {
    const { value, done } = await source.next();
    if (done) return false;
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return true;
  };
  return {
    async take(length) {
      while (rest.length < length) if (!(await more())) return null;
      const taken = rest.subarray(0, length);
      rest = rest.subarray(length);
      return taken;
    },
    async skip(length) {
      let left = length;
      while (left > rest.length) {
        left -= rest.length;
        rest = new Uint8Array(0);
        if (!(await more())) throw new Error('the data ends too early');
      }
      rest = rest.subarray(left);
    },
  };
}
