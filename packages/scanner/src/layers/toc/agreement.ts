/** Compares one table of contents with the archive of its layer, entry by entry. */
import { createHash, type Hash } from 'node:crypto';
import { type TarEntry, tarEntries } from '../tar-entries.ts';
import { parseToc, pathOf, type TocChunk, type TocFile } from './parse.ts';

/** @throws Error where they differ */
export async function assertAgrees(
  table: Uint8Array,
  archive: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  const files = (await parseToc(table)).filter(({ name, type }) => !isRoot(name, type));
  const names = new Set<string>();
  let at = 0;
  for await (const entry of tarEntries((await archive())[Symbol.asyncIterator]())) {
    if (isRoot(entry.name, entry.type) || isTableItself(entry, files[at])) {
      await drain(entry);
      continue;
    }
    const file = files[at];
    const path = pathOf(entry.name);
    if (!file || path === null || names.has(path)) throw differs();
    names.add(path);
    await assertSame(entry, file);
    at += 1;
  }
  if (at !== files.length) throw differs();
}

function isRoot(name: string, type: TocFile['type']): boolean {
  return type === 'dir' && pathOf(name) === null;
}

/** eStargz stores its table in the archive, after all files, and does not list it. */
function isTableItself({ name }: TarEntry, next: TocFile | undefined): boolean {
  return name === 'stargz.index.json' && next === undefined;
}

async function drain({ content }: TarEntry): Promise<void> {
  for await (const _ of content());
}

async function assertSame(entry: TarEntry, file: TocFile): Promise<void> {
  const linkOf = entry.type === 'hardlink' ? pathOf : (name: string) => name;
  const isSame =
    entry.type === file.type &&
    pathOf(entry.name) === pathOf(file.name) &&
    linkOf(entry.linkName) === linkOf(file.linkName) &&
    entry.size === file.size;
  if (!isSame) throw differs();
  await assertContent(entry, file);
}

async function assertContent({ content }: TarEntry, { chunks, digest }: TocFile): Promise<void> {
  const whole = createHash('sha256');
  const parts = partsOf(chunks);
  for await (const bytes of content()) {
    whole.update(bytes);
    parts.add(bytes);
  }
  if (digest !== null && `sha256:${whole.digest('hex')}` !== digest) throw differs();
}

/** Compares content with its chunks while it is read. */
function partsOf(chunks: readonly TocChunk[]): { add(bytes: Uint8Array): void } {
  let at = 0;
  let chunk = chunks[0];
  let left = chunk?.size ?? 0;
  let hash: Hash = createHash('sha256');
  function add(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (!chunk) throw differs();
      const part = bytes.subarray(from, from + left);
      if (chunk.isHole && part.some((byte) => byte !== 0)) throw differs();
      hash.update(part);
      left -= part.length;
      from += part.length;
      if (left === 0) next(chunk);
    }
  }
  function next({ digest }: TocChunk): void {
    if (digest !== null && `sha256:${hash.digest('hex')}` !== digest) throw differs();
    at += 1;
    chunk = chunks[at];
    left = chunk?.size ?? 0;
    hash = createHash('sha256');
  }
  return { add };
}

function differs(): Error {
  return new Error('the table of contents names other files than the archive');
}
