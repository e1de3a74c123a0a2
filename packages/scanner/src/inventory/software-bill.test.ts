import { expect, it } from 'vitest';
import { packageUrl } from './package-url.ts';
import { softwareBill } from './software-bill.ts';

const DEBIAN = { family: 'debian', name: '12.5' };
const ALPINE = { family: 'alpine', name: '3.19.1' };

it.each([
  ['debian', 'zlib1g', '1:1.2.13-1', 'pkg:deb/debian/zlib1g@1.2.13-1?distro=debian-12.5&epoch=1'],
  ['alpine', 'musl', '1.2.5-r10', 'pkg:apk/alpine/musl@1.2.5-r10?distro=3.19.1'],
  ['node-pkg', '@Babel/core', '7.0.0', 'pkg:npm/%40babel/core@7.0.0'],
  ['python-pkg', 'Zope_interface', '5', 'pkg:pypi/zope-interface@5'],
  [
    'jar',
    'org.apache.commons:commons-text',
    '1.9',
    'pkg:maven/org.apache.commons/commons-text@1.9',
  ],
  ['gobinary', 'github.com/Azure/go-ntlm', 'v0.1', 'pkg:golang/github.com/azure/go-ntlm@v0.1'],
  ['gemspec', 'rack', '', 'pkg:gem/rack'],
])('a package of %s has the URL that others give it', (type, name, version, url) => {
  const os = type === 'alpine' ? ALPINE : DEBIAN;
  expect(packageUrl({ type, name, version }, os)).toBe(url);
});

it.each(['sles', 'swift', 'unknown'])('one of %s has none', (type) => {
  expect(packageUrl({ type, name: 'a', version: '1' }, DEBIAN)).toBeNull();
});

const pinned = { registry: 'images.example.com', repository: 'team/app', tag: null };
const bill = { at: new Date('2026-11-30T00:00:00Z'), scannerVersion: '0.74.0', version: '1.0.0' };
const curl = {
  ...{ type: 'debian', name: 'curl', version: '8', licenses: ['MIT'], path: null },
  layer: 'sha256:l',
};
const partOf = (digest: string, platform: string | null) => ({
  ...{ digest, platform, os: DEBIAN, packages: [curl] },
});

it('an image has its packages, with licences and where they were found', () => {
  const image = { ...pinned, digest: 'sha256:a' };
  expect(softwareBill({ ...bill, image, parts: [partOf('sha256:a', null)] })).toMatchObject({
    metadata: {
      component: {
        name: 'team/app',
        version: 'sha256:a',
        purl: expect.stringContaining('pkg:oci/app@'),
      },
    },
    components: [
      {
        ...{ name: 'curl', purl: 'pkg:deb/debian/curl@8?distro=debian-12.5' },
        licenses: [{ license: { name: 'MIT' } }],
      },
    ],
    dependencies: [{ ref: 'image', dependsOn: ['unknown#0'] }],
  });
});

it('an index has a container for each platform, and each package below its own', () => {
  const image = { ...pinned, registry: null, digest: 'sha256:index' };
  const parts = [partOf('sha256:a', 'linux/amd64'), partOf('sha256:b', 'linux/arm64')];
  const { components, dependencies, metadata } = softwareBill({ ...bill, image, parts }) as {
    components: { 'bom-ref': string; type: string }[];
    dependencies: object[];
    metadata: { component: object };
  };
  expect(metadata.component).not.toHaveProperty('purl');
  expect(components.map((each) => each['bom-ref'])).toEqual([
    ...['platform:linux/amd64', 'platform:linux/arm64'],
    ...['linux/amd64#0', 'linux/arm64#0'],
  ]);
  expect(dependencies).toEqual([
    { ref: 'image', dependsOn: ['platform:linux/amd64', 'platform:linux/arm64'] },
    { ref: 'platform:linux/amd64', dependsOn: ['linux/amd64#0'] },
    { ref: 'platform:linux/arm64', dependsOn: ['linux/arm64#0'] },
  ]);
});
