/**
 * How many bytes an image may unpack to: protection against decompression bombs. Each byte is read
 * twice, by us and by Trivy, so there is an absolute bound and one relative to the compressed size:
 * real layers unpack to two to five times their size, gzip reaches 1,032 times.
 */
export interface UnpackBudget {
  bytes: number;
  /** The error message when the budget is exceeded. */
  refusal: string;
}

export const DEFAULT_MAX_UNPACKED_BYTES = 32 * 1024 ** 3;
const MAX_RATIO = 200;
/** Below this size the ratio is not checked. */
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
