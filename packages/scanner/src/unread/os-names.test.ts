import { expect, it } from 'vitest';
import { idIn, isReleaseFile, otherNames, type ReleaseFile } from './os-names.ts';

const [ETC, USR] = ['etc/os-release', 'usr/lib/os-release'];
const own = (path: string, id: string): ReleaseFile => ({ path, id });
const link = (path: string, linkTo: string): ReleaseFile => ({ path, linkTo });

it.each([
  ['ID=debian\n', 'debian'],
  ['NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n', 'rocky'],
  ["ID='ol'\r\n", 'ol'],
  ['VARIANT_ID=server\n  ID=fedora', 'fedora'],
  ['ID=debian\nID=devuan\n', 'devuan'],
  ['ID_LIKE=debian\n', 'linux'],
  ['#ID=debian\n', 'linux'],
  ['ID=\n', 'linux'],
  ['', 'linux'],
])('%j names the operating system %s', (text, id) => {
  expect(idIn(text)).toBe(id);
});

it.each<[string, ReleaseFile[], string | null, string[]]>([
  ['no file', [], 'debian', []],
  ['no operating system', [own(ETC, 'arch')], null, []],
  ['Debian', [own(ETC, 'debian')], 'debian', []],
  ['a distroless Debian', [own(USR, 'debian')], 'debian', []],
  ['a link', [link(ETC, USR), own(USR, 'alpine')], 'alpine', []],
  ['a link through the merged /lib', [link(ETC, 'lib/os-release'), own(USR, 'wolfi')], 'wolfi', []],
  ['links in a ring', [link(ETC, USR), link(USR, ETC)], 'debian', []],
  ['openSUSE Leap 42', [own(ETC, 'opensuse')], 'opensuse-leap', []],
  ['CentOS Stream', [own(ETC, 'centos')], 'centos-stream', []],
  ['Devuan', [own(ETC, 'devuan')], 'debian', ['devuan']],
  ['CloudLinux', [own(USR, 'cloudlinux')], 'redhat', ['cloudlinux']],
  ['a hardened image of Docker', [own(ETC, 'dhi')], 'alpine', ['dhi']],
  ['Scientific Linux', [own(ETC, 'scientific')], 'redhat', ['scientific']],
  ['Kali, by a link', [link(ETC, USR), own(USR, 'kali')], 'debian', ['kali']],
  ['Linux Mint on Ubuntu', [own(ETC, 'linuxmint'), own(USR, 'ubuntu')], 'ubuntu', ['linuxmint']],
  [
    'a link to a third file',
    [link(ETC, 'etc/my-os-release'), own('etc/my-os-release', 'mine')],
    'alma',
    ['mine'],
  ],
  ['Ubuntu that Trivy takes for Debian', [own(ETC, 'ubuntu')], 'debian', ['ubuntu']],
  ['a family of tomorrow', [own(ETC, 'tomorrow')], 'tomorrow', ['tomorrow']],
])('%s: the files %j of %s name %j', (_, files, family, names) => {
  expect(otherNames(files, family)).toEqual(names);
});

it('release files are known by their names', () => {
  const names = [ETC, USR, 'usr/lib/os.release.d/os-release-fedora', 'etc/my-os-release'];
  expect(names.every(isReleaseFile)).toBe(true);
  expect(isReleaseFile('opt/rootfs/etc/os-release')).toBe(false);
});
