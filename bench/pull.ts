/** `node pull.ts HOST DIR REPOSITORY…`: each repository's tag v1 into a layout of its own, over one blob cache. */
import path from 'node:path';
import { copy } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import { createTransport, openRepository } from '@portcullis/oci/remote';

const [host = '', dir = '', ...repositories] = process.argv.slice(2);
const transport = createTransport({});
const cache = openBlobCache(path.join(dir, 'blobs'));
for (const repository of repositories) {
  const source = openRepository({ host, repository, tls: 'off', transport });
  const layout = await openLayout(path.join(dir, 'staging', repository.replaceAll('/', '_')), cache);
  await copy(source, 'v1', layout, { targetTag: 'v1' });
}
await transport.close();
process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024)} MiB\n`);
