/** For tests only: links or writes the files of a directory, named by digest, in turn. */
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  else await placement?.write(repository, descriptor, (draft) => copySlowly(file, draft));
}

/** In two parts, so that a kill is likely to meet a half-written blob. */
async function copySlowly(file: string, draft: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(draft, bytes.subarray(0, bytes.length / 2));
  await sleep(5);
  await appendFile(draft, bytes.subarray(bytes.length / 2));
}
