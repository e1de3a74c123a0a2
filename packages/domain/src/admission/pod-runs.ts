/**
 * Which images of this registry a pod runs, by what its node wrote into its status.
 *
 * The specification says from which repository: a runtime that has the same content under several
 * names writes any of them (kubernetes/kubernetes #40062, #95385). The status says which digest,
 * where it has one of that repository: runtimes also write the digest of the configuration
 * (kubernetes/kubernetes #115199, cri-o/cri-o #5491), which is no image of a registry.
 */
import { isDigest } from '@portcullis/oci';
import { isRecord } from '../is-record.ts';
import type { ReportedImage } from './cluster-report.ts';
import { type ImageHome, placeOf } from './image-place.ts';

export interface PodRuns {
  uid: string;
  images: ReportedImage[];
  /** How many places run an image of this registry whose digest the status does not name. */
  notKnown: number;
}

/** The containers of a specification, and what the status says of them. */
const CONTAINERS = [
  ['initContainers', 'initContainerStatuses'],
  ['containers', 'containerStatuses'],
  ['ephemeralContainers', 'ephemeralContainerStatuses'],
] as const;

const ENDED: ReadonlySet<unknown> = new Set(['Succeeded', 'Failed']);

/**
 * A container counts from when its node has the image until the pod ends, also between two runs of
 * it. Null: it is no pod.
 */
export function podRuns(pod: unknown, hosts: ReadonlySet<string>): PodRuns | null {
  if (!isRecord(pod) || !isRecord(pod.metadata)) return null;
  const { uid, namespace } = pod.metadata;
  if (typeof uid !== 'string' || typeof namespace !== 'string') return null;
  const { spec, status } = pod;
  if (!isRecord(spec) || !isRecord(status) || ENDED.has(status.phase))
    return { uid, images: [], notKnown: 0 };
  const digests = [...ofContainers(spec, status, hosts), ...ofVolumes(spec, status, hosts)];
  const known = digests.filter((each) => each !== 'not known');
  return {
    uid,
    images: known.map((image) => ({ namespace, ...image })),
    notKnown: digests.length - known.length,
  };
}

type Ran = Omit<ReportedImage, 'namespace'> | 'not known';
type Fields = Record<string, unknown>;

function ofContainers(spec: Fields, status: Fields, hosts: ReadonlySet<string>): Ran[] {
  return CONTAINERS.flatMap(([field, statuses]) => {
    const byName = new Map(listIn(status[statuses]).map((each) => [each.name, each.imageID]));
    return listIn(spec[field]).flatMap(({ name, image }) => {
      const imageId = byName.get(name);
      // The node has not pulled it yet.
      if (typeof imageId !== 'string' || imageId === '') return [];
      return ranAs(image, imageId, hosts);
    });
  });
}

/** The status does not say what of a volume's image is mounted: only a digest in its name does. */
function ofVolumes(spec: Fields, status: Fields, hosts: ReadonlySet<string>): Ran[] {
  if (status.phase !== 'Running') return [];
  return listIn(spec.volumes).flatMap(({ image }) =>
    isRecord(image) ? ranAs(image.reference, '', hosts) : [],
  );
}

/** Nothing for an image of another registry. */
function ranAs(image: unknown, imageId: string, hosts: ReadonlySet<string>): Ran[] {
  const home = typeof image === 'string' ? placeOf(image, hosts) : null;
  if (home?.kind !== 'own') return [];
  const { repository } = home;
  const digest = home.isPinned ? home.reference : digestOf(imageId, home, hosts);
  return [digest === null ? 'not known' : { repository, digest }];
}

type OwnImage = Extract<ImageHome, { kind: 'own' }>;

function digestOf(
  imageId: string,
  { repository }: OwnImage,
  hosts: ReadonlySet<string>,
): string | null {
  // Docker's nodes write the scheme before it (kubernetes/kubernetes #95968).
  const named = imageId.replace(/^docker(?:-pullable)?:\/\//, '');
  if (isDigest(named)) return null;
  const ran = placeOf(named, hosts);
  return ran.kind === 'own' && ran.isPinned && ran.repository === repository ? ran.reference : null;
}

function listIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
