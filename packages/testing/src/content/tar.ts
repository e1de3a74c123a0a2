import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** Maps paths (without a leading slash) to content. */
export type Files = Record<string, string | Uint8Array>;

/** Maps paths to what they are other names of. */
export type Links = Record<string, { type: 'link' | 'symlink'; to: string }>;

/**
 * Writes a tar archive. The same files give the same bytes: times are fixed. What is in a folder
 * `bin` may be executed.
 */
export async function tar(files: Files, links: Links = {}): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) {
    const mode = /(?:^|\/)bin\//.test(name) ? 0o755 : 0o644;
    archive.entry({ name, mtime: new Date(0), mode }, Buffer.from(content));
  }
  for (const [name, { type, to }] of Object.entries(links))
    archive.entry({ name, type, linkname: to, mtime: new Date(0) });
  archive.finalize();
  return buffer(archive);
}

/** One incompressible file, for layers of a chosen size. */
export function randomFiles(bytes: number, name = 'random.bin'): Files {
  return { [name]: randomBytes(bytes) };
}
