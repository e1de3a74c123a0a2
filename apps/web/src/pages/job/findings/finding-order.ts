/** The order of the rows of findings. Equal rows keep the order by severity. */
import type { FindingRow } from './finding-list.ts';

export const FINDING_ORDERS = ['severity', 'cvss', 'epss', 'package', 'fix'] as const;
export type FindingOrder = (typeof FINDING_ORDERS)[number];

/** @param rows the most severe first */
export function inOrder(rows: readonly FindingRow[], order: FindingOrder): readonly FindingRow[] {
  if (order === 'severity') return rows;
  return rows.toSorted(COMPARISONS[order]);
}

const packageNames = new Intl.Collator('en', { numeric: true });

const COMPARISONS: Record<
  Exclude<FindingOrder, 'severity'>,
  (one: FindingRow, other: FindingRow) => number
> = {
  cvss: (one, other) => (other.cvss ?? -1) - (one.cvss ?? -1),
  epss: (one, other) => (other.epss ?? -1) - (one.epss ?? -1),
  package: (one, other) => packageNames.compare(firstPackage(one), firstPackage(other)),
  fix: (one, other) => Number(hasFix(other)) - Number(hasFix(one)),
};

function firstPackage({ packages }: FindingRow): string {
  return packages[0]?.name ?? '';
}

function hasFix({ packages }: FindingRow): boolean {
  return packages.some(({ fixed_version: fixed }) => fixed !== null && fixed !== '');
}
