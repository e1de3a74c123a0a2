/**
 * `node push.ts HOST DIR FROM TO [MOUNT]`: pushes the layout of FROM, as `pull.ts` left it, to
 * HOST/TO:v1.
 */
import path from 'node:path';
import { copy } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import { createTransport, openRepository } from '@portcullis/oci/remote';

const [host = '', dir = '', from = '', to = '', mount] = process.argv.slice(2);
const transport = createTransport({});
const layout = await openLayout(
  path.join(dir, 'staging', from.replaceAll('/', '_')),
  openBlobCache(path.join(dir, 'blobs')),
);
const target = openRepository({ host, repository: to, tls: 'off', transport });
const result = await copy(layout, 'v1', target, {
  targetTag: 'v1',
  mountFrom: () => (mount ? [mount] : []),
});
await transport.close();
process.stdout.write(`moved ${result.bytesMoved} mounted ${result.bytesMounted}\n`);
