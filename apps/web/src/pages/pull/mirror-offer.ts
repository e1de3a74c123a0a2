/** Which mirror has the image of the pull form, and its name there. */
import type { MirrorSummary } from '@portcullis/contract';
import type { PullForm } from './pull-form.ts';
import { splitReference } from './pull-form.ts';

const DOCKER_HUB = 'docker.io';

interface MirrorOffer {
  folder: string;
  /** `folder/path:tag`; what is not typed yet is an ellipsis. */
  image: string;
}

/**
 * The mirror of the longest prefix, where the account may bring in by it.
 *
 * @param savedHost of the chosen registry
 */
export function mirrorOffer(
  form: PullForm,
  mirrors: readonly MirrorSummary[],
  savedHost: string | null,
): MirrorOffer | null {
  const { source, host: typedHost, image: typed, tag } = splitReference(form);
  const host = source === 'hub' ? DOCKER_HUB : source === 'saved' ? savedHost : typedHost.trim();
  const image = typed.trim();
  const [best] = mirrors
    .filter((mirror) => mirror.may_bring_in && mirror.host === host)
    .filter(({ prefix }) => image === '' || prefix === '' || image.startsWith(`${prefix}/`))
    .toSorted((one, other) =>
      image === ''
        ? one.prefix.length - other.prefix.length
        : other.prefix.length - one.prefix.length,
    );
  if (!best) return null;
  const { folder, prefix } = best;
  const path = image === '' || prefix === '' ? image : image.slice(prefix.length + 1);
  const mark = tag.startsWith('sha256:') ? '@' : ':';
  return {
    folder,
    image: path === '' ? `${folder}/…` : `${folder}/${path}${mark}${tag || 'latest'}`,
  };
}
