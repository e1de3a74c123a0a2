/** For tests only: places the files of a directory, named by digest, again and again. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openBlobPlacement } from './blob-placement.ts';

const [, , storageDir = '', repository = '', files = ''] = process.argv;
const placement = await openBlobPlacement(storageDir);
process.send?.('ready');
for (const name of await readdir(files)) {
  const file = join(files, name);
  const { size } = await stat(file);
  const digest = `sha256:${name}` as const;
  const mediaType = 'application/octet-stream';
  await placement?.place(repository, { digest, size, mediaType }, file);
}
