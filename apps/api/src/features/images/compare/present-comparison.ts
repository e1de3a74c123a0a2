/** A comparison of images as the REST API shows it. */
import type { ImageComparison, WireSource } from '@portcullis/contract';
import type { ImageDifferences } from '@portcullis/domain';
import type { ComparedPair, ComparedSide } from './compare.ts';

/** The counts are of all changes, the lists are limited. */
const MOST_LISTED = 5000;

export function presentComparison({
  from,
  to,
  platforms,
  differences,
}: ComparedPair): WireSource<typeof ImageComparison> {
  const { packages, findings } = differences;
  return {
    ...differences,
    from: presentSide(from),
    to: presentSide(to),
    platforms,
    packages: packages && presentPackages(packages),
    findings: findings && presentFindings(findings),
  };
}

function presentSide({ content, digest: manifest, report, packages, ...side }: ComparedSide) {
  return {
    ...side,
    digest: content.root.digest,
    manifest,
    created: content.config.created,
    report: report && {
      scannedAt: report.scannedAt,
      databaseUpdatedAt: report.report.scanner.dbUpdatedAt,
      coverage: report.report.coverage,
    },
    packages: 'absent' in packages ? packages.absent : ('listed' as const),
  };
}

function presentPackages({ changes, unchanged }: NonNullable<ImageDifferences['packages']>) {
  const counted = { added: 0, removed: 0, upgraded: 0, downgraded: 0 };
  for (const { kind } of changes) counted[kind] += 1;
  return { ...counted, unchanged, changes: changes.slice(0, MOST_LISTED) };
}

function presentFindings({ counts, changes }: NonNullable<ImageDifferences['findings']>) {
  const listed = changes.slice(0, MOST_LISTED);
  return { ...counts, changes: listed.map(({ id, ...rest }) => ({ ...rest, vulnerability: id })) };
}
