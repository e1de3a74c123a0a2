import { describe, expect, it } from 'vitest';
import { parseImageConfig } from './image-config.ts';

const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;
const OCI = { architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: [A] } };
/** As written by `docker build` of Docker 20. */
const DOCKER = {
  architecture: 'arm64',
  config: {
    Hostname: '',
    AttachStdin: false,
    ExposedPorts: { '80/tcp': {} },
    Env: ['PATH=/usr/bin'],
    Cmd: ['nginx'],
    Healthcheck: { Test: ['CMD', 'true'], Interval: 30 },
    Volumes: { '/data': {} },
    Labels: { Vendor: 'x', vendor: 'y' },
    OnBuild: null,
  },
  container: 'c0ffee',
  container_config: { Hostname: 'c0ffee', Env: ['PATH=/usr/bin'], Labels: { a: 'b' } },
  created: '2026-01-01T00:00:00Z',
  docker_version: '20.10.7',
  history: [
    { created: '2026-01-01T00:00:00Z', created_by: '/bin/sh -c #(nop) CMD', empty_layer: true },
  ],
  os: 'linux',
  id: 'x',
  parent: 'y',
  Size: 3,
  rootfs: { type: 'layers', diff_ids: [A, B] },
  variant: 'v8',
  'os.version': '10.0.1',
  'moby.buildkit.buildinfo.v1': 'e30=',
};

const parse = (document: unknown) => parseImageConfig(Buffer.from(JSON.stringify(document)));

describe('an image configuration', () => {
  it.each([
    ['of the OCI', OCI, { architecture: 'amd64', os: 'linux', diffIds: [A] }],
    [
      "with Docker's further members",
      DOCKER,
      { architecture: 'arm64', variant: 'v8', diffIds: [A, B] },
    ],
    ['without layers', { ...OCI, rootfs: { type: 'layers', diff_ids: null } }, { diffIds: [] }],
    [
      'that says nothing of a platform',
      { rootfs: { diff_ids: [A] } },
      { architecture: '', os: '' },
    ],
    [
      'whose platform is no word',
      { ...OCI, os: 'a b\n', architecture: 1 },
      { os: '', architecture: '' },
    ],
  ])('%s is read', async (_, document, expected) => {
    expect(await parse(document)).toMatchObject(expected);
  });

  it.each([
    ['with DIFF_IDS for other readers', { ...OCI, rootfs: { diff_ids: [A], DIFF_IDS: [B] } }],
    ['with a rootf\u017F for other readers', { ...OCI, 'rootf\u017F': { diff_ids: [B] } }],
    ['with Diff_ids alone', { ...OCI, rootfs: { type: 'layers', Diff_ids: [B] } }],
    ['with an OS beside os', { ...OCI, OS: 'windows' }],
    ['with Architecture alone', { ...OCI, architecture: undefined, Architecture: 'arm64' }],
    ['with twins in its history', { ...OCI, history: [{ created_by: 'a', Created_By: 'b' }] }],
    ['with twins in its config', { ...OCI, config: { Env: ['A=1'], ENV: ['A=2'] } }],
    ['without rootfs', { os: 'linux' }],
    ['with numbers for diff_ids', { ...OCI, rootfs: { diff_ids: [1] } }],
    ['that is a list', []],
  ])('%s is refused', async (_, document) => {
    await expect(parse(document)).rejects.toThrow(
      expect.objectContaining({ code: 'SCAN_CONFIG_INVALID' }),
    );
  });

  it('with a member twice is refused', async () => {
    const text = JSON.stringify(OCI).replace('{"type"', `{"diff_ids":["${B}"],"type"`);
    await expect(parseImageConfig(Buffer.from(text))).rejects.toThrow(
      expect.objectContaining({ code: 'SCAN_CONFIG_INVALID' }),
    );
  });
});
