/**
 * Notes that signatures of digests came or went in a repository, so that they are read again. Only
 * where they were read before: what was not read is due in any case.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { Connection } from '../database.ts';

/** Tags of cosign, and of lists of referrers: `sha256-….sig`, `sha256-…`. */
export const SIGNATURE_TAG = '^sha256-([0-9a-f]{64})(?:\\.|$)';
const TAG = new RegExp(SIGNATURE_TAG);

/** What such tags name. */
export function signedBy(tags: Iterable<string>): string[] {
  return [...tags].flatMap((tag) => {
    const [, hex] = TAG.exec(tag) ?? [];
    return hex === undefined ? [] : [`sha256:${hex}`];
  });
}

export async function noteSigned(
  tx: Connection,
  repository: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  await tx.$executeRaw`
    UPDATE image_signatures SET noted = noted + 1, not_before = NULL
     WHERE registry = ${LOCAL_REGISTRY_ID} AND repository = ${repository}
       AND digest = ANY(${[...digests]})`;
}

/** Call before the manifests are removed. */
export async function noteUnsigned(
  tx: Connection,
  repository: string,
  digests: readonly string[],
): Promise<void> {
  const where = { repository, digest: { in: [...digests] } };
  const removed = await tx.localManifest.findMany({ where, select: { subject: true } });
  const tags = await tx.localTag.findMany({ where, select: { tag: true } });
  const subjects = removed.flatMap(({ subject }) => subject ?? []);
  await noteSigned(tx, repository, [...subjects, ...signedBy(tags.map(({ tag }) => tag))]);
}
