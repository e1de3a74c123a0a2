/**
 * `node pull.ts HOST DIR REPOSITORY…`: pulls each repository's tag v1 into a separate layout over
 * one blob cache, with a worker's concurrency.
 */
import path from 'node:path';
import { copy } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import { createMoverPool, createTransport, openRepository } from '@portcullis/oci/remote';

const [host = '', dir = '', ...repositories] = process.argv.slice(2);
// Sampled: a child's `maxRSS` begins at its parent's size at the fork.
let peak = process.memoryUsage.rss();
const before = peak;
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
const transport = createTransport({ movers: createMoverPool() });
const cache = openBlobCache(path.join(dir, 'blobs'));
const waiting = repositories.values();
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (const repository of waiting) await pull(repository);
  }),
);
transport.close();
clearInterval(sampler);
process.stdout.write(`RSS grew by ${Math.round((peak - before) / (1 << 20))} MiB\n`);

async function pull(repository: string): Promise<void> {
  const source = openRepository({ host, repository, tls: 'off', transport });
  const layout = openLayout(path.join(dir, 'staging', repository.replaceAll('/', '_')), cache);
  await copy(source, 'v1', layout, { targetTag: 'v1' });
}
