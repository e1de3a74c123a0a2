/**
 * `node push.ts URL DIR FROM TO`: pushes the layout of FROM, as `pull.ts` left it, to TO:v1.
 */
import path from 'node:path';
import { copy } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import { endAt } from './end-at.ts';

const [url = '', dir = '', from = '', to = ''] = process.argv.slice(2);
const transport = createTransport({});
const layout = openLayout(path.join(dir, 'staging', from), openBlobCache(path.join(dir, 'blobs')));
const target = openRepository({ repository: to, ...endAt(url), transport });
await copy(layout, 'v1', target, { targetTag: 'v1' });
await transport.close();
