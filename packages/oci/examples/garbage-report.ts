/** Lists blobs of an OCI layout that no manifest refers to: `node garbage-report.ts DIR`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, parseManifest, readWhole, successors } from '@portcullis/oci';
import { openBlobCache, openLayout } from '@portcullis/oci/layout';

const dir = process.argv[2] ?? '.';
const layout = openLayout(dir, openBlobCache(join(dir, 'cache')));
const used = new Set<Digest>();
for (const descriptor of await layout.manifests()) {
  used.add(descriptor.digest);
  const bytes = await readWhole(await layout.fetch(descriptor), descriptor);
  const document = await parseManifest(bytes, descriptor.mediaType);
  for (const { digest } of successors(document)) used.add(digest);
}
const stored = await readdir(join(dir, 'blobs', 'sha256'));
const unused = stored.filter((name) => !used.has(`sha256:${name}`));
console.log(`${unused.length} of ${stored.length} blobs are unused`);
for (const name of unused) console.log(`sha256:${name}`);
