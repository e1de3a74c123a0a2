/** Files of both feeds, written as their publishers write them. */

export function epssFile(
  rows: readonly (readonly [id: string, score: string | number])[],
  { date = '2026-11-22', model = 'v2026.03.14' } = {},
): Uint8Array {
  const lines = [
    `#model_version:${model},score_date:${date}T00:00:00+0000`,
    'cve,epss,percentile',
    ...rows.map(([id, score]) => `${id},${score},0.5`),
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

export function kevFile(
  ids: readonly string[],
  { released = '2026-11-20T18:00:03.1427Z', version = '2026.11.20', ...rest }: KevFileParts = {},
): Uint8Array {
  const catalog = {
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: version,
    dateReleased: released,
    count: ids.length,
    vulnerabilities: ids.map((cveID) => ({
      cveID,
      vendorProject: 'Apache',
      product: 'Log4j2',
      dateAdded: '2021-12-10',
      knownRansomwareCampaignUse: 'Known',
      cwes: ['CWE-20'],
    })),
    ...rest,
  };
  return new TextEncoder().encode(JSON.stringify(catalog));
}

interface KevFileParts {
  released?: unknown;
  version?: unknown;
  count?: unknown;
  vulnerabilities?: unknown;
}
