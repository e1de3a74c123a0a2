import { describe, expect, it } from 'vitest';
import { kindOf, kindOfArtifact, type PullTarget, pullCommands } from './pull-commands.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const target: PullTarget = {
  host: 'gate.example',
  repository: 'team/app',
  tag: '1.2',
  digest: DIGEST,
  plain: false,
};
const OCI = 'application/vnd.oci.image.layer.v1.tar+gzip';

describe('the kind of an artifact, by its layers', () => {
  it.each([
    [[OCI], 'image'],
    [['application/vnd.docker.image.rootfs.diff.tar.gzip', OCI], 'image'],
    [[], 'image'],
    [['application/vnd.cncf.helm.chart.content.v1.tar+gzip'], 'chart'],
    [['application/vnd.cyclonedx+json'], 'artifact'],
  ] as const)('%j: %s', (types, kind) => {
    expect(kindOf(types.map((media_type) => ({ media_type })))).toBe(kind);
  });
});

describe('the kind of what a scan has found', () => {
  it.each([
    [undefined, 'image'],
    ['application/vnd.cncf.helm.config.v1+json', 'chart'],
    ['application/vnd.example.signature', 'artifact'],
  ] as const)('%s: %s', (type, kind) => {
    expect(kindOfArtifact(type)).toBe(kind);
  });
});

describe('the pull command', () => {
  it.each([
    ['docker', false, 'docker pull gate.example/team/app:1.2'],
    ['podman', false, 'podman pull gate.example/team/app:1.2'],
    ['skopeo', false, 'skopeo copy --all docker://gate.example/team/app:1.2 oci:app:1.2'],
    ['docker', true, `docker pull gate.example/team/app@${DIGEST}`],
    ['skopeo', true, `skopeo copy --all docker://gate.example/team/app@${DIGEST} oci:app:1.2`],
  ])('of %s (by digest: %s) is %s', (tool, byDigest, command) => {
    expect(pullCommands('image', target, byDigest)).toContainEqual({ tool, command });
  });

  it.each([
    ['image', 'podman', 'podman pull --tls-verify=false gate.example/team/app:1.2'],
    [
      'image',
      'skopeo',
      'skopeo copy --all --src-tls-verify=false docker://gate.example/team/app:1.2 oci:app:1.2',
    ],
    ['chart', 'helm', 'helm pull oci://gate.example/team/app --version 1.2 --plain-http'],
    ['artifact', 'oras', 'oras pull --plain-http gate.example/team/app:1.2'],
  ] as const)('of %s without TLS says so to %s', (kind, tool, command) => {
    expect(pullCommands(kind, { ...target, plain: true })).toContainEqual({ tool, command });
  });

  it('gives helm the version with a +, which a tag cannot contain', () => {
    const chart = pullCommands('chart', { ...target, tag: '1.2.0_build.5' });
    expect(chart[0]?.command).toBe('helm pull oci://gate.example/team/app --version 1.2.0+build.5');
  });
});
