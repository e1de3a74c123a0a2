/**
 * What the path of a webhook says: the mode, which the cluster chooses by the labels of its
 * namespaces, and the name of the cluster.
 */

/** `pin` writes the digests of tags into pods, and decides nothing. */
export const ADMISSION_MODES = ['enforce', 'warn', 'pin'] as const;
export type AdmissionMode = (typeof ADMISSION_MODES)[number];

export interface AdmissionPath {
  mode: AdmissionMode;
  cluster: string;
}

const DEFAULT_CLUSTER = 'default';

/** The words of labels in Kubernetes, in lower case. */
export const CLUSTER_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;

function isClusterName(text: string): boolean {
  return CLUSTER_NAME.test(text);
}

/** `/admission[/MODE[/CLUSTER]]`. @returns null for any other path */
export function readAdmissionPath(path: string): AdmissionPath | null {
  const [empty, root, word = 'enforce', cluster = DEFAULT_CLUSTER, ...rest] = path.split('/');
  if (empty !== '' || root !== 'admission' || rest.length > 0) return null;
  const mode = ADMISSION_MODES.find((each) => each === word);
  return mode !== undefined && isClusterName(cluster) ? { mode, cluster } : null;
}
