/** The state of the push dialog and the requests made of it. */
import type { Job } from '@portcullis/contract';
import { proposedTarget, ROOT_FOLDER } from '@portcullis/domain';

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

/** What was chosen with the pull, or else the image's own name without the path of its source. */
export function proposal(
  job: Pick<Job, 'image' | 'tag'> & Partial<Pick<Job, 'destination'>>,
): PushForm {
  const own = proposedTarget(job);
  const nothing = { folder: null, registryId: null, host: '', username: '', password: '' };
  const form = { ...nothing, image: own.repository, tag: own.tag, bypassReason: '' };
  const { destination } = job;
  if (!destination) return { target: 'local', ...form };
  const { kind, folder, registry_id: registryId, repository, tag } = destination;
  if (kind === 'registry') return { ...form, target: 'saved', registryId, tag };
  const isRoot = folder === null || folder === ROOT_FOLDER;
  const image = isRoot ? repository : repository.slice(folder.length + 1);
  return { ...form, target: 'local', folder: isRoot ? '' : folder, image, tag };
}

/** The place that a job is judged for, if a request can be about it. */
export function judgedPlace(standing: Job['standing']): Job['destination'] {
  const there = standing?.destination ?? null;
  return there && there.kind !== 'host' ? { ...there, kind: there.kind } : null;
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
