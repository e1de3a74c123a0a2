import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** Maps paths (without a leading slash) to content. */
export type Files = Record<string, string | Uint8Array>;

/**
 * Writes a tar archive. The same files give the same bytes: times are fixed. What is in a folder
 * `bin` may be executed.
 */
export async function tar(files: Files): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) {
    const mode = /(?:^|\/)bin\//.test(name) ? 0o755 : 0o644;
    archive.entry({ name, mtime: new Date(0), mode }, Buffer.from(content));
  }
  archive.finalize();
  return buffer(archive);
}

/** One incompressible file, for layers of a chosen size. */
export function randomFiles(bytes: number, name = 'random.bin'): Files {
  return { [name]: randomBytes(bytes) };
}
