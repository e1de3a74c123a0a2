/**
 * For tests only: stores the files of a directory, named by digest, in turn by each way into the
 * storage. What is mounted, `team/origin` has.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobPlacement, openBlobPlacement } from './blob-placement.ts';
import { storedUploads } from './stored-uploads.ts';

const [, , storageDir = '', repository = '', files = ''] = process.argv;
const placement = (await openBlobPlacement(storageDir)) as BlobPlacement;
const uploads = storedUploads(storageDir, () => {});
const PARTS = 32;
const WAYS = [placed, written, mounted, uploaded];

process.send?.('ready');
for (const [nth, name] of (await readdir(files)).sort().entries()) {
  const file = join(files, name);
  const descriptor = {
    digest: `sha256:${name}` as const,
    size: (await stat(file)).size,
    mediaType: 'application/octet-stream',
  };
  await WAYS[nth % WAYS.length]?.(descriptor, file);
}

type Blob = Parameters<BlobPlacement['place']>[1];

async function placed(blob: Blob, file: string): Promise<void> {
  await placement.place(repository, blob, file);
  const sha512 = createHash('sha512')
    .update(await readFile(file))
    .digest('hex');
  await placement.alias(repository, `sha512:${sha512}`, blob.digest);
}

async function written(blob: Blob, file: string): Promise<void> {
  await placement.write(repository, blob, (draft) => copySlowly(file, draft));
}

async function mounted({ digest }: Blob): Promise<void> {
  await placement.mount(repository, 'team/origin', digest);
}

async function uploaded({ digest }: Blob, file: string): Promise<void> {
  const upload = await uploads.claim((await uploads.begin()) ?? '');
  await upload?.append(createReadStream(file));
  await upload?.commit({ repository, digest }, async () => true);
}

/** In many parts, so that a kill is likely to meet a half-written blob. */
async function copySlowly(file: string, draft: string): Promise<void> {
  const bytes = await readFile(file);
  const part = Math.ceil(bytes.length / PARTS);
  await writeFile(draft, bytes.subarray(0, part));
  for (let at = part; at < bytes.length; at += part)
    await appendFile(draft, bytes.subarray(at, at + part));
}
