/** Serves deletions in a repository (distribution specification § Content Management). */
import { createTagRemoval } from '@portcullis/local-registry';
import { isDigest } from '@portcullis/oci';
import { forward, noticingAnswer } from './forward.ts';
import type { RouteOf } from './routes.ts';
import type { RepositoryCall, V2 } from './v2.ts';

export function removeManifest(
  v2: V2,
  call: RepositoryCall,
  { repository, reference }: RouteOf<'manifest'>,
): Promise<void> {
  return isDigest(reference)
    ? removeByDigest(v2, call, { repository, digest: reference })
    : removeTag(v2, call, { repository, tag: reference });
}

/** Distribution spec § Deleting tags: the manifest and its other tags remain. */
async function removeTag(
  v2: V2,
  call: RepositoryCall,
  { repository, tag }: { repository: string; tag: string },
) {
  await call.intend();
  const { registryLock, immutableTags, manifests: keeper = null } = v2.ports;
  const remove = createTagRemoval({ immutableTags, registryLock, keeper });
  await remove(repository, tag, () => v2.ports.removeTag(repository, tag));
  await call.record(202);
  call.response.status(202).end();
}

/** Deletes a manifest with its tags, or a blob. */
export async function removeByDigest(
  v2: V2,
  call: RepositoryCall,
  { repository, digest }: { repository: string; digest: string },
): Promise<void> {
  await call.intend();
  await v2.ports.immutableTags.removing(repository, (kept, unanswered) => {
    kept.assertFree(digest);
    return noticingAnswer(call, unanswered, (heard) => forward(v2, heard, call.v2Request));
  });
}
