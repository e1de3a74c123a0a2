/** The order of the rows of findings. Equal rows keep the order by severity. */
import type { FindingRow } from './finding-list.ts';

export const FINDING_ORDERS = ['severity', 'cvss', 'epss', 'package', 'fix'] as const;
export type FindingOrder = (typeof FINDING_ORDERS)[number];

/** @param rows the most severe first */
export function inOrder(rows: readonly FindingRow[], order: FindingOrder): readonly FindingRow[] {
  if (order === 'severity') return rows;
  if (order === 'package') return byName(rows);
  return rows.toSorted(COMPARISONS[order]);
}

const collator = new Intl.Collator('en', { numeric: true });

/** Thousands of rows have few names, and a comparison of two names is slow. */
function byName(rows: readonly FindingRow[]): FindingRow[] {
  const named = Map.groupBy(rows, firstPackage);
  const names = [...named.keys()].sort(collator.compare);
  return names.flatMap((name) => named.get(name) ?? []);
}

const COMPARISONS: Record<
  Exclude<FindingOrder, 'severity' | 'package'>,
  (one: FindingRow, other: FindingRow) => number
> = {
  cvss: (one, other) => (other.cvss ?? -1) - (one.cvss ?? -1),
  epss: (one, other) => (other.epss ?? -1) - (one.epss ?? -1),
  fix: (one, other) => Number(hasFix(other)) - Number(hasFix(one)),
};

function firstPackage({ packages }: FindingRow): string {
  return packages[0]?.name ?? '';
}

function hasFix({ packages }: FindingRow): boolean {
  return packages.some(({ fixed_version: fixed }) => fixed !== null && fixed !== '');
}
