/** Splits content into upload chunks. Seeks backwards by reopening the content. */

import type { Content } from '../copy/content.ts';
import { unavailable } from '../oci-error.ts';
import type { Upload } from './upload-session.ts';

export class ChunkReader {
  readonly #job: Upload;
  readonly #size: number;
  #content: Content | undefined;
  #iterator: AsyncIterator<Uint8Array> | undefined;
  /** Position of the first byte of `#rest`. */
  #position = 0;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(job: Upload, size: number) {
    this.#job = job;
    this.#size = size;
  }

  /** A copy of at most `limit` bytes from `offset` on. */
  async at(offset: number, limit: number): Promise<Uint8Array> {
    if (this.#iterator === undefined || offset < this.#position) await this.#open(offset);
    const wanted = Math.min(limit, this.#size - offset);
    await this.#gather(offset, offset + wanted);
    return this.#rest.slice(offset - this.#position, offset - this.#position + wanted);
  }

  cancel(): void {
    this.#content?.cancel();
    this.#iterator = undefined;
  }

  async #open(offset: number): Promise<void> {
    this.cancel();
    this.#content = await this.#job.open({ offset, signal: this.#job.options.signal });
    this.#iterator = this.#content[Symbol.asyncIterator]();
    this.#position = this.#content.offset;
    this.#rest = new Uint8Array(0);
  }

  async #gather(from: number, to: number): Promise<void> {
    const kept = this.#rest.slice(Math.min(from - this.#position, this.#rest.byteLength));
    this.#position += this.#rest.byteLength - kept.byteLength;
    const pieces = [kept];
    let end = this.#position + kept.byteLength;
    while (end < to) {
      const next = await this.#iterator?.next();
      if (!next || next.done)
        throw unavailable('CONTENT_TRUNCATED', 'the content to upload ended early');
      const skipped = Math.min(Math.max(0, from - end), next.value.byteLength);
      if (skipped > 0) this.#position += skipped;
      end += next.value.byteLength;
      // Not `slice`: on a Buffer it returns a view, and the source reuses that memory for the next
      // chunk.
      pieces.push(new Uint8Array(next.value.subarray(skipped)));
    }
    this.#rest = Buffer.concat(pieces);
  }
}
