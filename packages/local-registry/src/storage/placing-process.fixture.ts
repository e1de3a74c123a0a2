/** For tests only: links or writes the files of a directory, named by digest, in turn. */
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openBlobPlacement } from './blob-placement.ts';

const [, , storageDir = '', repository = '', files = ''] = process.argv;
const placement = await openBlobPlacement(storageDir);
process.send?.('ready');
for (const [nth, name] of (await readdir(files)).entries()) {
  const file = join(files, name);
  const { size } = await stat(file);
  const digest = `sha256:${name}` as const;
  const mediaType = 'application/octet-stream';
  const descriptor = { digest, size, mediaType };
  if (nth % 2 === 0) await placement?.place(repository, descriptor, file);
  else await placement?.write(repository, descriptor, (draft) => copyFile(file, draft));
}
