/**
 * Which manifests of the built-in registry have signatures that nobody has read, or not since a
 * signature came or went, an authority was saved, or the shipped root became another one.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { FOLDER } from '../accounts/folder-filter.ts';
import { type Database, run } from '../database.ts';
import { SIGNATURE_TAG } from './note-signed.ts';
import type { AskedAuthorities, SignedDigest } from './records.ts';

export function dueSignatures(
  db: Database,
  { folders, root }: AskedAuthorities,
  limit: number,
): Promise<SignedDigest[]> {
  const names = [...folders.keys()];
  const versions = [...folders.values()].map((asked) => JSON.stringify(asked));
  return run(
    () => db.$queryRaw<SignedDigest[]>`
      SELECT m.digest, ${LOCAL_REGISTRY_ID} AS registry, m.repository
        FROM local_repositories r
        JOIN unnest(${names}::text[], ${versions}::text[]) AS asked (folder, versions)
             ON asked.folder = ${FOLDER}
        JOIN local_manifests m ON m.repository = r.name
        LEFT JOIN image_signatures s ON s.digest = m.digest AND s.registry = ${LOCAL_REGISTRY_ID}
                                    AND s.repository = m.repository
       WHERE m.subject IS NULL AND (m.artifact_type IS NULL OR cardinality(m.platforms) > 0)
         AND (s.checked_at IS NULL OR s.read < s.noted OR s.root IS DISTINCT FROM ${root}
              OR NOT s.asked_of @> asked.versions::jsonb)
         AND (s.lease_until IS NULL OR s.lease_until < now())
         AND (s.not_before IS NULL OR s.not_before < now())
         AND NOT EXISTS (SELECT FROM local_tags t
                          WHERE t.repository = m.repository AND t.digest = m.digest
                            AND t.tag ~ ${SIGNATURE_TAG})
       ORDER BY m.pushed_at DESC, m.repository, m.digest
       LIMIT ${limit}`,
  );
}
