/**
 * `node pull.ts URL DIR REPOSITORY…`: pulls each repository's tag v1 into a separate layout over
 * one blob cache, with a worker's concurrency.
 */
import path from 'node:path';
import { copy } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import { createMoverPool, createTransport, openRepository } from '@portcullis/oci/remote';
import { endAt } from './end-at.ts';

const [url = '', dir = '', ...repositories] = process.argv.slice(2);
const transport = createTransport({ movers: createMoverPool() });
const cache = openBlobCache(path.join(dir, 'blobs'));
const waiting = repositories.values();
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (const repository of waiting) await pull(repository);
  }),
);
transport.close();

async function pull(repository: string): Promise<void> {
  const source = openRepository({ repository, ...endAt(url), transport });
  const layout = openLayout(path.join(dir, 'staging', repository.replaceAll('/', '_')), cache);
  await copy(source, 'v1', layout, { targetTag: 'v1' });
}
