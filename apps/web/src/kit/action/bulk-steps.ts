/** A bulk operation in several requests: the rows of each, and the results together. */
import { type BulkResult, codeOf } from './bulk-result.ts';

export function inSteps<Row>(rows: readonly Row[], most: number): Row[][] {
  const count = Math.ceil(rows.length / most);
  return Array.from({ length: count }, (_, at) => rows.slice(at * most, (at + 1) * most));
}

/** @param sizes how many rows each step has: all of them failed where its request failed */
export function mergedResult(
  results: readonly PromiseSettledResult<BulkResult>[],
  sizes: readonly number[],
): BulkResult {
  const each = results.map((result, at) =>
    result.status === 'fulfilled' ? result.value : failure(codeOf(result.reason), sizes[at] ?? 0),
  );
  const sum = (of: 'done' | 'refused' | 'failed') =>
    each.reduce((total, result) => total + result[of], 0);
  const counts = new Map<string, number>();
  for (const { code, count } of each.flatMap(({ reasons }) => reasons))
    counts.set(code, (counts.get(code) ?? 0) + count);
  return {
    done: sum('done'),
    refused: sum('refused'),
    failed: sum('failed'),
    reasons: [...counts].map(([code, count]) => ({ code, count })),
  };
}

function failure(code: string, count: number): BulkResult {
  return { done: 0, refused: 0, failed: count, reasons: [{ code, count }] };
}
