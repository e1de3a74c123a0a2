/**
 * Compares a layer's tables of contents with its archive, which is all that Trivy reads. An engine
 * with lazy pulling creates its files from the table: a table that names other files would run
 * content that was never scanned.
 */
import type { TocAnnotations } from './annotations.ts';
import { type FoundToc, findTocs } from './find.ts';

/** `unverified`: a table differs from the archive or cannot be compared with it. */
export type TocVerdict = 'none' | 'agrees' | 'unverified';

export interface TocSubject {
  /** Path of the compressed layer. */
  path: string;
  annotations: TocAnnotations;
  /** Reads the layer's archive from its start. */
  archive(): Promise<AsyncIterable<Uint8Array>>;
}

export async function verifyTocs(subject: TocSubject): Promise<TocVerdict> {
  const { annotations } = subject;
  try {
    if (annotations.isForeign) return 'unverified';
    const tables = await findTocs(subject.path, annotations);
    if (tables.length === 0) return annotations.isMade ? 'unverified' : 'none';
    if (!isNamed(annotations, tables)) return 'unverified';
    // Few layers have a table, and what parses it is half of the heap of a thread.
    const { assertAgrees } = await import('./agreement.ts');
    for (const bytes of distinct(tables)) await assertAgrees(bytes, subject.archive);
    return 'agrees';
  } catch {
    return 'unverified';
  }
}

/**
 * Engines look up a table that they have cached by the digest in the annotation: it must be the
 * digest of a table in this blob.
 */
function isNamed({ digests }: TocAnnotations, tables: FoundToc[]): boolean {
  return digests.every(({ of, digest }) => tables.some((table) => table[of] === digest));
}

function distinct(tables: FoundToc[]): Uint8Array[] {
  return [...new Map(tables.map(({ unpacked, bytes }) => [unpacked, bytes])).values()];
}
