/** Holds off garbage collection during writes of the worker and of the api. */
import {
  type Descriptor,
  type Digest,
  type Mounter,
  type Target,
  wrapTarget,
} from '@portcullis/oci';
import type { WriteLock } from './write-lock.ts';

export interface GuardedTarget {
  target: Target & Mounter;
  /** All of it is referenced by a manifest now. */
  settle(): Promise<void>;
}

/**
 * A push target for a repository of the built-in registry whose writes wait while garbage is
 * collected, and whose blobs are kept until a manifest references them.
 */
export function guardedTarget(
  repository: string,
  target: Target & Mounter,
  registryLock: WriteLock,
): GuardedTarget {
  const relied = new Set<Digest>();

  /** Recorded while no collection can begin: what is found or written here is kept. */
  function during<T>({ digest }: Descriptor, work: () => Promise<T>): Promise<T> {
    relied.add(digest);
    return registryLock.write(work, { repository, digests: [digest] });
  }

  return {
    target: wrapTarget(target, {
      exists: (descriptor, options) => during(descriptor, () => target.exists(descriptor, options)),
      push: (descriptor, open, options) =>
        during(descriptor, () => target.push(descriptor, open, options)),
      mount: (descriptor, from, options) =>
        during(descriptor, () => target.mount(descriptor, from, options)),
      tag: (descriptor, tag, options) =>
        registryLock.write(async () => {
          await registryLock.touches(repository, [descriptor.digest]);
          return target.tag(descriptor, tag, options);
        }),
    }),
    settle: () => registryLock.settled(repository, [...relied]),
  };
}
