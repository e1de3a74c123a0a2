/**
 * How many bytes an image may unpack to. A layer of a megabyte can hold a gigabyte of zeros, and each byte is read twice,
 * by us and by the scanner. So there is an absolute bound, and one relative to the packed size: real layers unpack to
 * two to five times their size, and gzip reaches 1,032 times.
 */
export interface UnpackBudget {
  bytes: number;
  /** Why more is refused. */
  refusal: string;
}

export const DEFAULT_MAX_UNPACKED_BYTES = 32 * 1024 ** 3;
const MAX_RATIO = 200;
/** Below this an image unpacks to any multiple of its size. */
const FREE_BYTES = 512 * 1024 ** 2;

export function unpackBudget(packedBytes: number, maxBytes: number): UnpackBudget {
  const relative = Math.max(FREE_BYTES, MAX_RATIO * packedBytes);
  return relative < maxBytes
    ? { bytes: relative, refusal: `the image unpacks to more than ${MAX_RATIO} times its size` }
    : {
        bytes: maxBytes,
        refusal: `the image unpacks to more than ${maxBytes} bytes (SCAN_MAX_UNPACKED_BYTES)`,
      };
}
