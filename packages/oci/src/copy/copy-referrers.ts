/**
 * Copies referrers after their image: one that the source doesn't serve completely, or that the
 * target refuses, is left behind.
 */
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { notFound } from '../oci-error.ts';
import { forEachAtMost } from './concurrency.ts';
import type { GraphOptions, Node } from './graph.ts';
import type { Optional } from './left-behind.ts';

export interface ReferrerWork {
  /** Blobs of referrers alone that the target lacks. */
  blobs: Descriptor[];
  /** Manifests of referrers that the target lacks, in the order of their pushes. */
  levels: Node[][];
  copyBlob(blob: Descriptor): Promise<void>;
  putManifest(node: Node): Promise<void>;
}

interface Context {
  optional: Optional;
  limits: GraphOptions;
  admit: ((blobs: readonly Descriptor[]) => Promise<void>) | undefined;
}

/** @returns the digests that were left behind */
export async function copyReferrers(
  { optional, limits, admit }: Context,
  { blobs, levels, copyBlob, putManifest }: ReferrerWork,
): Promise<ReadonlySet<Digest>> {
  const failed = new Set<Digest>();
  const owners = ownersOf(levels);
  const attempt = async (owner: Digest, digest: Digest, work: () => Promise<void>) => {
    const done = await optional.attempt({ kind: 'referrer', name: owner }, async () => {
      await work();
      return true;
    });
    if (!done) failed.add(digest);
  };

  const [first] = blobs;
  let admitted: Promise<void> | undefined;
  await forEachAtMost(limits.concurrency, first ? blobs : [], (blob) =>
    attempt(owners.get(blob.digest) ?? blob.digest, blob.digest, async () => {
      admitted ??= Promise.resolve(admit?.(blobs));
      await admitted;
      await copyBlob(blob);
    }),
  );
  for (const level of levels)
    await forEachAtMost(limits.concurrency, level, (node) => {
      const { digest } = node.descriptor;
      return attempt(digest, digest, async () => {
        if (partsOf(node).some((part) => failed.has(part.digest))) throw incomplete();
        await putManifest(node);
      });
    });
  return failed;
}

function ownersOf(levels: Node[][]): Map<Digest, Digest> {
  return new Map(
    levels
      .flat()
      .flatMap(({ descriptor, blobs }) =>
        blobs.map((blob): [Digest, Digest] => [blob.digest, descriptor.digest]),
      ),
  );
}

/** A referrer of a referrer that was left behind would refer to nothing. */
function partsOf({ manifests, blobs, document: { subject } }: Node): Descriptor[] {
  return [...manifests, ...blobs, ...(subject ? [subject] : [])];
}

function incomplete() {
  return notFound('REFERRER_INCOMPLETE', 'a part of it, or what it refers to, was left behind');
}
