import { inSlices } from '@portcullis/oci';
import { expect, it } from 'vitest';
import { listedPackages } from './applied-layers.ts';

const [BASE, TOP] = ['sha256:base', 'sha256:top'];
const npm = (path: string, ...names: string[]) => ({
  Type: 'npm',
  FilePath: path,
  Packages: names.map((Name) => ({ Name, Version: '1' })),
});
const debian = (...Packages: object[]) => [{ FilePath: 'var/lib/dpkg/status', Packages }];

const listed = (layers: readonly object[], most = 1_000) =>
  inSlices(
    listedPackages(
      layers.map((analysis, at) => ({ digest: [BASE, TOP][at] ?? '', analysis })),
      { os: 'debian', most },
    ),
  );

it('names each package once, with its origin and its licences', async () => {
  const openssl = { Name: 'openssl', Version: '3', Release: '1', Epoch: 2 };
  const base = {
    PackageInfos: debian(openssl),
    Licenses: [
      { Type: 'dpkg', PkgName: 'openssl', Findings: [{ Name: 'Apache-2.0' }] },
      { Type: 'header', PkgName: 'openssl', Findings: [{ Name: 'other' }] },
    ],
  };
  const top = { PackageInfos: debian(openssl, { Name: 'curl', Version: '8', Licenses: ['curl'] }) };
  expect(await listed([base, top])).toEqual([
    {
      ...{ type: 'debian', name: 'openssl', version: '2:3-1', path: null },
      ...{ licenses: ['Apache-2.0'], layer: BASE },
    },
    {
      ...{ type: 'debian', name: 'curl', version: '8', path: null },
      ...{ licenses: ['curl'], layer: TOP },
    },
  ]);
});

it.each([
  ['by a whiteout of the list', { WhiteoutFiles: ['app/package-lock.json'] }],
  ['by a whiteout of its directory', { WhiteoutFiles: ['app/'] }],
  ['by an opaque directory', { OpaqueDirs: ['app'] }],
  ['by another list at the same path', { Applications: [npm('app/package-lock.json')] }],
])('a list that a later layer hides %s is not there', async (_, top) => {
  const base = { Applications: [npm('app/package-lock.json', 'a'), npm('apps/b.json', 'b')] };
  const names = (await listed([base, top]))?.map(({ name }) => name);
  expect(names).toEqual(['b']);
});

it('a whiteout of another path hides nothing', async () => {
  const base = { Applications: [npm('app/package-lock.json', 'a')] };
  for (const path of ['ap', 'app/package', 'app/package-lock.json/x', 'other'])
    expect(await listed([base, { WhiteoutFiles: [path] }])).toHaveLength(1);
});

it('more packages than there may be are none, whatever hides them', async () => {
  const base = { Applications: [npm('a', 'a', 'b')], PackageInfos: debian({ Name: 'c' }) };
  expect(await listed([base], 3)).toHaveLength(3);
  expect(await listed([base], 2)).toBeNull();
  expect(await listed([base, { OpaqueDirs: ['a'], Applications: [npm('b', 'd')] }], 3)).toBeNull();
});

it.each([
  { Applications: 'none' },
  { Applications: [null] },
  { Applications: [{ Packages: [{ Name: 1 }] }] },
  { WhiteoutFiles: [1] },
  { Licenses: [{ Type: 'dpkg', PkgName: {} }] },
])('an analysis that is none is refused: %j', async (analysis) => {
  await expect(listed([analysis])).rejects.toThrow();
});

it('looks at few things in each step', () => {
  const many = 20_000;
  const Packages = Array.from({ length: many }, (_, at) => ({ Name: `n${at}`, Version: '1' }));
  const paths = Array.from({ length: many }, (_, at) => `hidden/${at}`);
  const lists = Array.from({ length: 2_000 }, (_, at) => npm(`app/${at}`, 'a'));
  const layers = [
    { digest: BASE, analysis: { PackageInfos: debian(...Packages), Applications: lists } },
    { digest: TOP, analysis: { WhiteoutFiles: paths } },
  ];
  const steps = listedPackages(layers, { os: 'debian', most: 100_000 });
  let count = 0;
  for (let step = steps.next(); !step.done; step = steps.next()) count += 1;
  expect(count).toBeGreaterThan((2 * many) / 100);
});
