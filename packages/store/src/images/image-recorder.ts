/**
 * Adds images to the index of the built-in registry. Concurrent pushes into one repository share a
 * transaction: each would lock the row of the repository, and wait for all before it.
 */
import { isInAuditScope } from '../audit/audit-scope.ts';
import { type Database, run } from '../database.ts';
import { recordImages } from './record-images.ts';
import type { StoredImage } from './records.ts';

const MOST_AT_ONCE = 100;

interface Waiting {
  image: StoredImage;
  resolve(): void;
  reject(error: unknown): void;
}

export function createImageRecorder(db: Database): (image: StoredImage) => Promise<void> {
  /** The images that wait for the running transaction of their repository. */
  const waiting = new Map<string, Waiting[]>();

  const write = (images: StoredImage[]) =>
    run(() => db.$transaction((tx) => recordImages(tx, images)));

  async function writeAll(batch: Waiting[]): Promise<void> {
    try {
      await write(batch.map(({ image }) => image));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      // One image that can't be written must not be the fault of the others.
      else for (const each of batch) await writeAll([each]);
    }
  }

  async function drain(repository: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await writeAll(queue.splice(0, MOST_AT_ONCE));
    waiting.delete(repository);
  }

  return (image) => {
    // The transaction of another request would not contain this one's audit event.
    if (isInAuditScope()) return write([image]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(image.repository);
    const own = { image, resolve, reject };
    if (queue) queue.push(own);
    else {
      const begun = [own];
      waiting.set(image.repository, begun);
      void drain(image.repository, begun);
    }
    return promise;
  };
}
