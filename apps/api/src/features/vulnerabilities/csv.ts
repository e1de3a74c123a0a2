/** The list of vulnerabilities as CSV. */
import { csvLine } from '../../http/csv.ts';
import { type ExportBatch, MOST_EXPORTED } from './service.ts';

export const CSV = { mediaType: 'text/csv', name: 'vulnerabilities', extension: 'csv' };

const HEADINGS = [
  'id',
  'severity',
  'kev',
  'epss',
  'title',
  'packages',
  'fixed_versions',
  'images',
  'folders',
  'waivers',
  'first_seen_at',
  'running_namespaces',
  'running_clusters',
  'running_silent_namespaces',
];

const END = csvLine([
  `This export ends after ${MOST_EXPORTED} vulnerabilities; more match the filter.`,
]);

/** What is not known is an empty cell. */
export async function* csvOf(batches: AsyncIterable<ExportBatch>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const { items, isCut } of batches) {
    const lines = items.map((each) =>
      csvLine([
        ...[each.id, each.severity, each.kev, each.epss, each.title, each.packages],
        ...[each.fixedVersions, each.images, each.folders, each.waivers],
        ...[each.firstSeenAt.toISOString(), each.running?.namespaces ?? null],
        ...[each.running?.clusters ?? null, each.running?.silentNamespaces ?? null],
      ]),
    );
    yield [...(isFirst ? [csvLine(HEADINGS)] : []), ...lines, ...(isCut ? [END] : [])].join('');
    isFirst = false;
  }
}
