/** `node pulling-process.contract.ts HOST DIR DIGEST…`: fills a blob cache by mover threads. */
import { openBlobCache } from '../layout/blob-cache.ts';
import { parseDigest } from '../model/digest.ts';
import { createTransport } from '../remote/http/transport.ts';
import { openRepository } from '../remote/named/named-repository.ts';
import { createMoverPool } from './mover-pool.ts';

const [host = '', dir = '', size = '', ...digests] = process.argv.slice(2);
const movers = createMoverPool({ threads: 2 });
const transport = createTransport({ movers });
const repository = openRepository({ host, repository: 'team/app', tls: 'off', transport });
const cache = openBlobCache(dir);
await Promise.all(digests.map(store));
await movers.close();

async function store(digest: string): Promise<void> {
  const mediaType = 'application/octet-stream';
  const descriptor = { mediaType, digest: parseDigest(digest), size: Number(size) };
  const move = repository.mover?.(descriptor);
  if (!move) throw new Error('the blob is not moved by a thread');
  await cache.store(descriptor, (options) => repository.fetch(descriptor, options), { move });
}
