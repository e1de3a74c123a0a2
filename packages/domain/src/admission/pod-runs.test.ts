import { describe, expect, it } from 'vitest';
import { podRuns } from './pod-runs.ts';

const HOSTS = new Set(['r.example.com', 'r.example.com:5000']);
const [HEX, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const DIGEST = `sha256:${HEX}`;

interface Parts {
  image?: string;
  imageID?: string;
  phase?: string;
  spec?: object;
  status?: object;
}

const podOf = ({ image = 'r.example.com/team/app:1', imageID, phase, ...more }: Parts) => ({
  metadata: { uid: 'u1', namespace: 'shop', name: 'app' },
  spec: { containers: [{ name: 'app', image }], ...more.spec },
  status: {
    phase: phase ?? 'Running',
    containerStatuses: imageID === undefined ? [] : [{ name: 'app', image, imageID }],
    ...more.status,
  },
});
const runs = (parts: Parts) => {
  const found = podRuns(podOf(parts), HOSTS);
  return found && [found.images.map(({ digest }) => digest), found.notKnown];
};
const KNOWN = [[DIGEST], 0];
const NOT_KNOWN = [[], 1];
const NOTHING = [[], 0];

it('names namespace, repository and digest', () => {
  expect(podRuns(podOf({ imageID: `r.example.com/team/app@${DIGEST}` }), HOSTS)).toEqual({
    ...{ uid: 'u1', notKnown: 0 },
    images: [{ namespace: 'shop', repository: 'team/app', digest: DIGEST }],
  });
});

describe('what nodes write', () => {
  it.each<[string, Parts, unknown]>([
    ['containerd and CRI-O', { imageID: `r.example.com/team/app@${DIGEST}` }, KNOWN],
    ['docker', { imageID: `docker-pullable://r.example.com/team/app@${DIGEST}` }, KNOWN],
    [
      'another port of the same registry',
      { imageID: `r.example.com:5000/team/app@${DIGEST}` },
      KNOWN,
    ],
    ['a tag and a digest', { imageID: `r.example.com/team/app:1@${DIGEST}` }, KNOWN],
    ['kind, of an imported image: its configuration', { imageID: DIGEST }, NOT_KNOWN],
    ['docker, of a built image', { imageID: `docker://${DIGEST}` }, NOT_KNOWN],
    ['CRI-O, by the id of the image', { imageID: HEX }, NOT_KNOWN],
    [
      'the name of another repository with the same content',
      { imageID: `r.example.com/other/app@${DIGEST}` },
      NOT_KNOWN,
    ],
    [
      'the name in another registry with the same content',
      { imageID: `docker.io/library/app@${DIGEST}` },
      NOT_KNOWN,
    ],
    ['a tag alone', { imageID: 'r.example.com/team/app:1' }, NOT_KNOWN],
    ['what has not the form of an image', { imageID: 'r.example.com/team/<app>' }, NOT_KNOWN],
    ['nothing, before the image is pulled', { imageID: '' }, NOTHING],
    ['no status, before the pod has a node', {}, NOTHING],
  ])('%s', (_, parts, expected) => {
    expect(runs(parts)).toEqual(expected);
  });

  it('a digest in the specification is known, whatever the node writes (openkruise #2572)', () => {
    const image = `r.example.com/team/app:1@${DIGEST}`;
    expect(runs({ image, imageID: `sha256:${OTHER}` })).toEqual(KNOWN);
    expect(runs({ image, imageID: `docker.io/library/app@sha256:${OTHER}` })).toEqual(KNOWN);
  });

  it('what the specification takes from another registry is not ours', () => {
    const imageID = `r.example.com/team/app@${DIGEST}`;
    for (const image of ['nginx:1', 'docker.io/team/app:1', 'R E', `sha256:${HEX}`])
      expect(runs({ image, imageID })).toEqual(NOTHING);
  });
});

describe('of a pod', () => {
  const imageID = `r.example.com/team/app@${DIGEST}`;

  it.each(['Succeeded', 'Failed'])('that is %s nothing runs', (phase) => {
    expect(runs({ imageID, phase })).toEqual(NOTHING);
  });

  it('init containers, containers for debugging and restarted ones count', () => {
    const named = (name: string) => ({ name, image: 'r.example.com/team/app:1' });
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    expect(
      runs({
        spec: {
          initContainers: [named('init')],
          ephemeralContainers: [named('debugger')],
        },
        status: {
          initContainerStatuses: [{ name: 'init', imageID, state: { terminated: {} } }],
          ephemeralContainerStatuses: [{ name: 'debugger', imageID }],
          containerStatuses: [{ name: 'app', imageID, state }],
        },
      }),
    ).toEqual([[DIGEST, DIGEST, DIGEST], 0]);
  });

  it('volumes of images count where their names have the digest', () => {
    const volumes = [
      { name: 'config', configMap: {} },
      { name: 'models', image: { reference: `r.example.com/team/models@${DIGEST}` } },
      { name: 'moving', image: { reference: 'r.example.com/team/models:1' } },
      { name: 'foreign', image: { reference: 'nginx:1' } },
    ];
    expect(runs({ spec: { volumes } })).toEqual([[DIGEST], 1]);
    expect(runs({ spec: { volumes }, phase: 'Pending' })).toEqual(NOTHING);
  });

  it('a status of a container that the specification lacks says nothing', () => {
    expect(runs({ status: { containerStatuses: [{ name: 'gone', imageID }] } })).toEqual(NOTHING);
  });
});

it.each<[string, unknown]>([
  ['null', null],
  ['a text', 'pod'],
  ['no metadata', {}],
  ['no uid', { metadata: { namespace: 'shop' } }],
  ['no namespace', { metadata: { uid: 'u1' } }],
])('%s is no pod', (_, pod) => {
  expect(podRuns(pod, HOSTS)).toBe(null);
});

it('a pod of the wrong shape runs nothing', () => {
  const metadata = { uid: 'u1', namespace: 'shop' };
  const spec = { containers: 'many', volumes: [7] };
  for (const pod of [
    { metadata },
    { metadata, spec, status: { phase: 'Running', containerStatuses: {} } },
  ])
    expect(podRuns(pod, HOSTS)).toEqual({ uid: 'u1', images: [], notKnown: 0 });
});
