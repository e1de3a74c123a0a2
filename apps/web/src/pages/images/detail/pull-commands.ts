/** The commands that pull an image with common tools. */
import { ownName } from '@portcullis/domain';

export interface PullTarget {
  /** `host[:port]` */
  host: string;
  repository: string;
  tag: string;
  digest: string;
  /** Without TLS: some tools need a flag. */
  plain: boolean;
}

export interface PullCommand {
  tool: string;
  command: string;
}

export type ArtifactKind = 'image' | 'chart' | 'artifact';

const HELM = /^application\/vnd\.cncf\.helm\./;
const CHART = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const IMAGE_LAYER = /^application\/vnd\.(?:docker\.image\.rootfs|oci\.image\.layer)\./;

export function kindOf(layers: readonly { media_type: string }[]): ArtifactKind {
  if (layers.some(({ media_type }) => media_type === CHART)) return 'chart';
  return layers.every(({ media_type }) => IMAGE_LAYER.test(media_type)) ? 'image' : 'artifact';
}

/** @param type of what a scan has found to be no image */
export function kindOfArtifact(type: string | undefined): ArtifactKind {
  if (type === undefined) return 'image';
  return HELM.test(type) ? 'chart' : 'artifact';
}

export function pullCommands(
  kind: ArtifactKind,
  target: PullTarget,
  byDigest = false,
): PullCommand[] {
  if (kind === 'chart')
    return [{ tool: 'helm', command: helm(target) }, ...copyCommand(target, byDigest)];
  const reference = referenceOf(target, byDigest);
  if (kind === 'artifact')
    return [
      { tool: 'oras', command: `oras pull${target.plain ? ' --plain-http' : ''} ${reference}` },
      ...copyCommand(target, byDigest),
    ];
  return [
    { tool: 'docker', command: `docker pull ${reference}` },
    {
      tool: 'podman',
      command: `podman pull${target.plain ? ' --tls-verify=false' : ''} ${reference}`,
    },
    ...copyCommand(target, byDigest),
  ];
}

function referenceOf({ host, repository, tag, digest }: PullTarget, byDigest: boolean): string {
  return `${host}/${repository}${byDigest ? `@${digest}` : `:${tag}`}`;
}

/** Copies all platforms into an OCI layout. */
function copyCommand(target: PullTarget, byDigest: boolean): PullCommand[] {
  const name = ownName(target.repository);
  const insecure = target.plain ? ' --src-tls-verify=false' : '';
  const reference = `docker://${referenceOf(target, byDigest)}`;
  return [
    {
      tool: 'skopeo',
      command: `skopeo copy --all${insecure} ${reference} oci:${name}:${target.tag}`,
    },
  ];
}

/** A tag cannot contain the `+` of a version: helm replaces it by `_`. */
function helm({ host, repository, tag, plain }: PullTarget): string {
  const version = tag.replaceAll('_', '+');
  return `helm pull oci://${host}/${repository} --version ${version}${plain ? ' --plain-http' : ''}`;
}
