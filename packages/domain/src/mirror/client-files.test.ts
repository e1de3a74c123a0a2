import { describe, expect, it } from 'vitest';
import { clientSetup, type MirrorClient } from './client-files.ts';
import { aMirror } from './mirror.fixture.ts';
import type { Mirror } from './mirror.ts';

const TLS = { url: 'https://images.example.com', caFile: null };
const OWN_CA = { ...TLS, caFile: '/etc/ssl/own.pem' };
const PLAIN = { url: 'http://localhost:8080', caFile: null };

const hub = aMirror();
const ofOrg = aMirror({ folder: 'acme', host: 'ghcr.io', prefix: 'org' });

const setup = (
  client: MirrorClient,
  mirror: Mirror = hub,
  gate: typeof OWN_CA | typeof TLS = TLS,
) => clientSetup(client, { mirror, mirrors: [hub, ofOrg] }, gate);
const textOf = (...args: Parameters<typeof setup>) =>
  setup(...args)
    .files.map(({ path, text }) => `${path}\n${text}`)
    .join('\n');

describe('the files of clients', () => {
  it('make the gate the only server of containerd', () => {
    expect(textOf('containerd', hub, OWN_CA)).toBe(
      [
        '/etc/containerd/certs.d/docker.io/hosts.toml',
        '# `server` is this gate as well: containerd would ask the upstream after a refusal.',
        'server = "https://images.example.com"',
        'ca = "/etc/ssl/own.pem"',
        '',
        '[host."https://images.example.com"]',
        '  capabilities = ["pull", "resolve"]',
        '  ca = "/etc/ssl/own.pem"',
        '',
      ].join('\n'),
    );
  });

  it('replace the names of podman, with the prefix of the mirror', () => {
    expect(textOf('podman', ofOrg, PLAIN)).toBe(
      [
        '/etc/containers/registries.conf.d/acme.conf',
        '# `location` replaces the name. After a `mirror`, the upstream would be asked.',
        '[[registry]]',
        'prefix = "ghcr.io/org"',
        'location = "localhost:8080/acme"',
        'insecure = true',
        '',
      ].join('\n'),
    );
  });

  it('are none for docker, which is to write the name of the gate', () => {
    expect(setup('docker', hub, OWN_CA)).toEqual({
      files: [],
      commands: [
        'install -D -m 644 /etc/ssl/own.pem /etc/docker/certs.d/images.example.com/ca.crt',
        'docker login images.example.com',
        'docker pull images.example.com/docker.io/library/alpine:latest',
      ],
      limits: ['name_only'],
    });
    expect(textOf('docker', hub, PLAIN)).toContain('"insecure-registries"');
  });

  it('rename the sources of BuildKit', () => {
    const [policy, daemon] = setup('buildkit', hub, OWN_CA).files;
    expect(JSON.parse(policy?.text ?? '')).toEqual({
      rules: [
        {
          action: 'CONVERT',
          selector: { identifier: 'docker-image://docker.io/*' },
          updates: { identifier: `docker-image://images.example.com/docker.io/$\{1}` },
        },
      ],
    });
    expect(daemon?.text).toContain('ca = ["/etc/ssl/own.pem"]');
    expect(setup('buildkit').files).toHaveLength(1);
  });

  it('say that all of a host is looked for here, and which mirror answers for it', () => {
    const second = aMirror({ folder: 'hub2' });
    const limits = (client: MirrorClient, mirror: Mirror) =>
      clientSetup(client, { mirror, mirrors: [hub, second, ofOrg] }, TLS).limits;
    expect(limits('containerd', hub)).toEqual([]);
    expect(limits('containerd', second)).toEqual(['other_mirror']);
    expect(limits('containerd', ofOrg)).toEqual(['whole_host']);
    expect(limits('podman', second)).toEqual([]);
  });
});
