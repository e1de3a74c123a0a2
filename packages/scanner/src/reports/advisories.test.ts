import type { Advisory } from '@portcullis/domain';
import { inSlices } from '@portcullis/oci';
import { describe, expect, it } from 'vitest';
import { advisoriesOf, openAdvisories } from './advisories.ts';
import type { RawReport, RawVulnerability } from './raw-report.ts';

const FOUND: RawVulnerability = {
  VulnerabilityID: 'CVE-2026-1',
  PkgName: 'openssl',
  Title: 'openssl: a fault',
  Description: 'Line one.\r\nLine two.',
  PrimaryURL: 'https://avd.aquasec.com/nvd/cve-2026-1',
  References: ['https://nvd.nist.gov/vuln/detail/CVE-2026-1'],
  PublishedDate: '2026-11-01T10:15:00Z',
  LastModifiedDate: '2026-11-20T00:00:00.123Z',
  SeveritySource: 'debian',
  CVSS: { redhat: { V3Score: 9.9, V3Vector: 'r' }, nvd: { V3Score: 7.5, V3Vector: 'n' } },
};

const reportOf = (...found: Partial<RawVulnerability>[]): RawReport => ({
  SchemaVersion: 2,
  ArtifactName: 'image',
  Results: [{ Target: 't', Vulnerabilities: found.map((each) => ({ ...FOUND, ...each })) }],
});

async function only(found: Partial<RawVulnerability> = {}): Promise<Advisory | undefined> {
  return (await inSlices(advisoriesOf(reportOf(found))))[0];
}

describe('what a report says about a vulnerability', () => {
  it('is the same whatever image has it', async () => {
    expect(await only()).toEqual({
      id: 'CVE-2026-1',
      title: 'openssl: a fault',
      description: 'Line one.\nLine two.',
      ...{ cvssScore: 7.5, cvssVector: 'n', cvssSource: 'nvd' },
      publishedAt: new Date('2026-11-01T10:15:00Z'),
      modifiedAt: new Date('2026-11-20T00:00:00.123Z'),
      links: [
        'https://avd.aquasec.com/nvd/cve-2026-1',
        'https://nvd.nist.gov/vuln/detail/CVE-2026-1',
      ],
    });
    expect(await only({ SeveritySource: 'redhat' })).toEqual(await only());
  });

  it('is told once for all packages', async () => {
    const report = reportOf({}, { PkgName: 'libssl3' }, { VulnerabilityID: 'CVE-2026-2' });
    const ids = (await inSlices(advisoriesOf(report))).map(({ id }) => id);
    expect(ids).toEqual(['CVE-2026-1', 'CVE-2026-2']);
  });

  it('is nothing where the report has nothing: no date and no score is made up', async () => {
    const nothing = { Title: '', Description: null, CVSS: null, PrimaryURL: null };
    const undated = { References: null, PublishedDate: undefined, LastModifiedDate: '' };
    expect(await only({ ...nothing, ...undated })).toEqual({
      ...{ id: 'CVE-2026-1', title: null, description: null, links: [] },
      ...{ cvssScore: null, cvssVector: null, cvssSource: null },
      ...{ publishedAt: null, modifiedAt: null },
    });
  });

  it.each([
    ['the zero time of Go', '0001-01-01T00:00:00Z'],
    ['no date', 'soon'],
  ])('has no date of %s', async (_, PublishedDate) => {
    expect((await only({ PublishedDate }))?.publishedAt).toBeNull();
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['another protocol', 'ftp://example.com/a'],
    ['no address', 'see the mailing list'],
    ['an account', 'https://root:secret@example.com/'],
    ['an account without a password', 'https://www.cisa.gov@example.com/'],
    ['an address without an end', `https://example.com/${'a'.repeat(3_000)}`],
  ])('links to no address of %s', async (_, url) => {
    expect((await only({ PrimaryURL: url, References: [url] }))?.links).toEqual([]);
  });

  it('is bounded: text, links, and characters that turn text around', async () => {
    const References = Array.from({ length: 50 }, (_, at) => `https://example.com/${at}`);
    const long = await only({ Description: 'x'.repeat(9_000), References });
    expect(long?.description).toHaveLength(4_000);
    expect(long?.description?.endsWith('…')).toBe(true);
    expect(long?.links).toHaveLength(20);
    const turned = await only({ Title: 'safe\u202egnp.exe\u0000\u001b[31m' });
    expect(turned?.title).toBe('safegnp.exe[31m');
  });
});

describe('keeping it', () => {
  it('writes what is new or changed, once', async () => {
    const kept: string[][] = [];
    const store = {
      async keep(advisories: readonly Advisory[]) {
        kept.push(advisories.map(({ id, title }) => `${id} ${title}`));
      },
    };
    const advisories = openAdvisories(store, { warn: () => {} });
    const [one, other] = [{ Title: 'a' }, { VulnerabilityID: 'CVE-2026-2', Title: 'b' }];
    for (const report of [reportOf(one), reportOf(one), reportOf(one, other)])
      await advisories.keep(report);
    await advisories.keep(reportOf({ Title: 'A' }, other));
    expect(kept).toEqual([['CVE-2026-1 a'], ['CVE-2026-2 b'], ['CVE-2026-1 A']]);
  });

  it('fails no scan, and tries again with the next one', async () => {
    let calls = 0;
    const warned: unknown[] = [];
    const store = {
      async keep() {
        calls += 1;
        throw new Error('the database is away');
      },
    };
    const advisories = openAdvisories(store, { warn: (about: object) => warned.push(about) });
    for (let scans = 0; scans < 2; scans += 1) await advisories.keep(reportOf({}));
    expect([calls, warned.length]).toEqual([2, 2]);
  });
});
