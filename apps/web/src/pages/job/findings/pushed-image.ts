/** The image of a job in the built-in registry, which has the history of its layers. */
import type { Job } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';

interface PushedImage {
  repository: string;
  digest: string;
}

/** Null where no push of the job has put it there. */
export function pushedImage({
  pushes,
  digest,
}: Pick<Job, 'pushes' | 'digest'>): PushedImage | null {
  const push = pushes.findLast(
    ({ status, registry_id: registry }) => status === 'done' && registry === LOCAL_REGISTRY_ID,
  );
  const pushed = push?.digest ?? digest;
  return push && pushed ? { repository: push.target_image, digest: pushed } : null;
}
