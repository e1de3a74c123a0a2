/** The gate's decision about a running push, made again before each manifest is written. */
import type { StagingJob } from '@portcullis/domain';
import { assertPushed, type JudgedPush, type OpenPushGate } from '@portcullis/gate';
import { isManifestType, type Target } from '@portcullis/oci';

export interface Admission {
  /** Decides by the rules of this moment. @throws forbidden */
  again(): Promise<void>;
  /** The newest decision. */
  latest(): JudgedPush;
}

export function admission(job: StagingJob, open: () => Promise<OpenPushGate>): Admission {
  let judged: JudgedPush | null = null;
  return {
    async again() {
      judged = (await open()).judge(job);
      assertPushed(judged);
    },
    latest() {
      if (judged === null) throw new Error('the push was not decided');
      return judged;
    },
  };
}

/**
 * Blobs alone are no image, so that only manifests and tags are decided. A waiver may end while
 * blobs are uploaded.
 */
export function admittedTarget(target: Target, { again }: Pick<Admission, 'again'>): Target {
  const { mount } = target;
  return {
    resolve: (reference, options) => target.resolve(reference, options),
    fetch: (descriptor, options) => target.fetch(descriptor, options),
    exists: (descriptor, options) => target.exists(descriptor, options),
    ...(mount && { mount: (...args) => mount.apply(target, args) }),
    async push(descriptor, open, options) {
      if (isManifestType(descriptor.mediaType)) await again();
      await target.push(descriptor, open, options);
    },
    async tag(descriptor, tag, options) {
      await again();
      await target.tag(descriptor, tag, options);
    },
  };
}
