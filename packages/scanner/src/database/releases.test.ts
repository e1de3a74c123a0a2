import { describe, expect, it } from 'vitest';
import type { RawOs } from '../reports/raw-report.ts';
import { bucketOf, type DetectionLog, readDetectionLog } from './releases.ts';

const LOG: DetectionLog = { alpineRepository: '', offEolList: false };

describe('S5: the bucket of a release', () => {
  it.each<[string, string, string | null]>([
    ['alma', '9.5', 'alma 9'],
    ['alpine', '3.22.1', 'alpine 3.22'],
    ['alpine', '3.22', 'alpine 3.22'],
    ['alpine', '', 'alpine'],
    ['amazon', '2 (Karoo)', 'amazon linux 2'],
    ['amazon', '2023.6.20241010 (Amazon Linux)', 'amazon linux 2023'],
    ['amazon', '2018.03', 'amazon linux 1'],
    ['amazon', '2025.1', null],
    ['amazon', '', null],
    ['azurelinux', '3.0.20240727', 'Azure Linux 3.0'],
    ['bottlerocket', '1.34.0', 'bottlerocket'],
    ['cbl-mariner', '2.0.20241006', 'CBL-Mariner 2.0'],
    ['centos', '7.9.2009', 'Red Hat'],
    ['chainguard', '20230214', 'chainguard'],
    ['debian', '12.5', 'debian 12'],
    ['debian', '13', 'debian 13'],
    ['debian', 'forky/sid', 'debian forky/sid'],
    ['debian', '99.1', 'debian 99'],
    ['debian', '', 'debian'],
    ['echo', '1', 'echo'],
    ['minimos', '20241031', 'minimos'],
    ['opensuse-leap', '15.6', 'openSUSE Leap 15.6'],
    ['opensuse-tumbleweed', '20240607', 'openSUSE Tumbleweed'],
    ['oracle', '8.9', 'Oracle Linux 8'],
    ['photon', '5.0', 'Photon OS 5.0'],
    ['redhat', '9.4', 'Red Hat'],
    ['rocky', '9.4', 'rocky 9'],
    ['slem', '5.5', 'SUSE Linux Enterprise Micro 5.5'],
    ['sles', '15.6', 'SUSE Linux Enterprise 15.6'],
    ['ubuntu', '24.04', 'ubuntu 24.04'],
    ['ubuntu', '27.04', 'ubuntu 27.04'],
    ['wolfi', '20230201', 'wolfi'],
    // Trivy detects nothing in these, or does not know them.
    ['activestate', '1', null],
    ['centos-stream', '9', null],
    ['coreos', '1', null],
    ['fedora', '41', null],
    ['opensuse', '42.3', null],
    ['toString', '1', null],
    ['', '', null],
  ])('of %s %s is %j', (Family, Name, bucket) => {
    expect(bucketOf({ Family, Name }, LOG)).toBe(bucket);
  });

  it.each<[string, string, string | null]>([
    ['3.22.1', '3.99', 'alpine 3.99'],
    ['3.22.1', 'edge', 'alpine edge'],
    ['3.22.1', '3.22', 'alpine 3.22'],
  ])('of Alpine %s is that of the repository it names: %s', (Name, alpineRepository, bucket) => {
    expect(bucketOf({ Family: 'alpine', Name }, { ...LOG, alpineRepository })).toBe(bucket);
  });

  it('of Alpine is unknown unless the scanner logs the repository', () => {
    expect(
      bucketOf({ Family: 'alpine', Name: '3.22.1' }, { ...LOG, alpineRepository: null }),
    ).toBeNull();
  });

  it.each<[string, boolean, string | null]>([
    ['18.04', false, 'ubuntu 18.04-ESM'],
    ['20.04', true, 'ubuntu 20.04-ESM'],
    ['22.04', false, 'ubuntu 22.04'],
    ['22.04', true, null],
  ])(
    'of Ubuntu Pro %s, missing in the list of ends of life: %s, is %j',
    (Name, offEolList, bucket) => {
      const os: RawOs = { Family: 'ubuntu', Name, extended: true };
      expect(bucketOf(os, { ...LOG, offEolList })).toBe(bucket);
    },
  );
});

describe('what the scanner logs on standard error', () => {
  const line = (rest: string) => `2026-11-22T10:17:44Z\t${rest}\n`;
  const detecting = (values: string) =>
    line(`INFO\t[alpine] Detecting vulnerabilities...\t${values}`);

  it.each<[string, string, DetectionLog]>([
    ['nothing', '', { alpineRepository: null, offEolList: false }],
    [
      'no repository',
      detecting('os_version="3.22" repository="" pkg_num=1'),
      { alpineRepository: '', offEolList: false },
    ],
    [
      'another repository',
      detecting('os_version="3.22" repository="3.99" pkg_num=1') +
        line('WARN\t[alpine] Mixing Alpine versions is unsupported\tos="3.22" repository="3.99"'),
      { alpineRepository: '3.99', offEolList: false },
    ],
    [
      'packages of Root.io, which are matched by release',
      detecting('os_version="3.22" pkg_num=1'),
      { alpineRepository: '', offEolList: false },
    ],
    [
      'packages of Seal, and then those of Alpine',
      detecting('os_version="3.22.1" pkg_num=2') +
        detecting('os_version="3.22" repository="edge" pkg_num=1'),
      { alpineRepository: 'edge', offEolList: false },
    ],
    [
      'two repositories, of which one must be forged',
      detecting('os_version="3.22" repository="3.22" pkg_num=1') +
        detecting('os_version="3.22" repository="3.99" pkg_num=1'),
      { alpineRepository: null, offEolList: false },
    ],
    [
      'a release whose name imitates a note',
      line(
        'INFO\tDetected OS\tfamily="alpine" version="\\n[alpine] Detecting vulnerabilities...\\tos_version=\\"1\\" repository=\\"3.22\\" pkg_num=1"',
      ),
      { alpineRepository: null, offEolList: false },
    ],
    [
      'a release that is not on the list of ends of life',
      line('WARN\tThis OS version is not on the EOL list\tfamily="debian" version="99"'),
      { alpineRepository: null, offEolList: true },
    ],
  ])('about %s is parsed', (_, stderr, log) => {
    expect(readDetectionLog(stderr)).toEqual(log);
  });
});
