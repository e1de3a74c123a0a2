/** The state of the push dialog and the requests made of it. */
import type { Job } from '@portcullis/contract';
import { proposedTarget } from '@portcullis/domain';

export const TARGETS = ['local', 'saved', 'host'] as const;
type TargetKind = (typeof TARGETS)[number];

export interface PushForm {
  target: TargetKind;
  /** Empty: no folder. Null: not chosen yet. */
  folder: string | null;
  registryId: string | null;
  host: string;
  username: string;
  password: string;
  image: string;
  tag: string;
  /** Why a blocked image may pass. */
  bypassReason: string;
}

/** The image's own name and tag, without the path of its source. */
export function proposal({ image, tag }: Pick<Job, 'image' | 'tag'>): PushForm {
  const own = proposedTarget({ image, tag });
  const nothing = { folder: null, registryId: null, host: '', username: '', password: '' };
  return { target: 'local', ...nothing, image: own.repository, tag: own.tag, bypassReason: '' };
}

export function isComplete(form: PushForm): boolean {
  return hasDestination(form) && form.image.trim() !== '' && form.tag.trim() !== '';
}

function hasDestination({ target, folder, registryId, host }: PushForm): boolean {
  return { local: folder !== null, saved: registryId !== null, host: host.trim() !== '' }[target];
}

export function previewQuery(jobId: string, form: PushForm) {
  return {
    job_id: jobId,
    target_image: form.image.trim(),
    target_tag: form.tag.trim(),
    ...(form.target === 'local' && form.folder && { folder: form.folder }),
    ...(form.target === 'saved' && { external_registry_id: form.registryId }),
    ...(form.target === 'host' && { external_registry_host: form.host.trim() }),
    ...(form.target === 'host' &&
      form.username !== '' && { external_registry_username: form.username }),
  };
}

export function pushBody(jobId: string, form: PushForm) {
  const withPassword = form.target === 'host' && form.username !== '';
  return {
    ...previewQuery(jobId, form),
    ...(withPassword && { external_registry_password: form.password }),
    ...(form.bypassReason.trim() !== '' && { bypass_reason: form.bypassReason.trim() }),
  };
}
