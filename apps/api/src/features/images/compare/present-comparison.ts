/** A comparison of images as the REST API shows it. */
import type { ComparedImage, ImageComparison } from '@portcullis/contract';
import type { ImageDifferences } from '@portcullis/domain';
import type { ComparedPair, ComparedSide } from './compare.ts';

/** The counts are of all changes, the lists are limited. */
const MOST_LISTED = 5000;

export function presentComparison(compared: ComparedPair): ImageComparison {
  const { from, to, platforms, differences } = compared;
  const { layers, configuration, packages, findings } = differences;
  return {
    from: presentSide(from),
    to: presentSide(to),
    platforms,
    layers: {
      shared: layers.shared.map(presentLayer),
      from: layers.from.map(presentLayer),
      to: layers.to.map(presentLayer),
    },
    packages: packages && presentPackages(packages),
    findings: findings && presentFindings(findings),
    configuration: {
      values: configuration.values,
      commands: configuration.commands.map((each) => ({
        ...each,
        from: [...each.from],
        to: [...each.to],
      })),
    },
  };
}

function presentSide(side: ComparedSide): ComparedImage {
  const { repository, reference, content, digest, platform, size, report, packages } = side;
  return {
    repository,
    reference,
    digest: content.root.digest,
    platform,
    manifest: digest,
    size,
    created: content.config.created,
    report: report && {
      scanned_at: report.scannedAt.toISOString(),
      database_updated_at: report.report.scanner.dbUpdatedAt,
      coverage: report.report.coverage,
    },
    packages: 'absent' in packages ? packages.absent : 'listed',
  };
}

function presentLayer({ digest, size, createdBy }: ImageDifferences['layers']['shared'][number]) {
  return { digest, size, created_by: createdBy };
}

function presentPackages({
  changes,
  unchanged,
}: NonNullable<ImageDifferences['packages']>): ImageComparison['packages'] {
  const counted = { added: 0, removed: 0, upgraded: 0, downgraded: 0 };
  for (const { kind } of changes) counted[kind] += 1;
  return {
    ...counted,
    unchanged,
    changes: changes
      .slice(0, MOST_LISTED)
      .map(({ kind, type, name, from, to }) => ({ kind, type, name, from, to })),
  };
}

function presentFindings({
  counts,
  changes,
}: NonNullable<ImageDifferences['findings']>): ImageComparison['findings'] {
  return {
    ...counts,
    changes: changes
      .slice(0, MOST_LISTED)
      .map(({ kind, id: vulnerability, severity, title, packages }) => ({
        kind,
        vulnerability,
        severity,
        title,
        packages: packages.map(({ name, from, to, fixedVersion }) => ({
          name,
          from,
          to,
          fixed_version: fixedVersion,
        })),
      })),
  };
}
