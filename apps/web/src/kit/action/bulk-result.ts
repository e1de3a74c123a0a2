/** What became of the same request for many rows. */
import { ProblemError } from '../../api/problem-error.ts';

export interface BulkResult {
  done: number;
  refused: number;
  failed: number;
  reasons: readonly BulkReason[];
}

export interface BulkReason {
  code: string;
  count: number;
  /** Of the rows, where they are known. */
  names?: readonly string[];
  /** In place of the count and the words of the code. */
  text?: string;
}

/** @param names of the rows, in the order of the results, where the reasons name them */
export function bulkResultOf(
  results: readonly PromiseSettledResult<unknown>[],
  names?: readonly string[],
): BulkResult {
  const left = results.flatMap((result, at) =>
    result.status === 'rejected' ? [{ code: codeOf(result.reason), name: names?.[at] ?? '' }] : [],
  );
  return {
    done: results.length - left.length,
    refused: 0,
    failed: left.length,
    reasons: names ? reasonsOf(left) : reasonsOf(left).map(({ code, count }) => ({ code, count })),
  };
}

/** The rows that are left, by the reason. */
export function reasonsOf(left: readonly { code: string; name: string }[]) {
  return [...Map.groupBy(left, ({ code }) => code)].map(([code, rows]) => ({
    code,
    count: rows.length,
    names: rows.map(({ name }) => name),
  }));
}

export function codeOf(reason: unknown): string {
  return reason instanceof ProblemError ? reason.code : 'INTERNAL';
}

/** One request after the other, also after one that failed. */
export async function settledInTurn<Row, Answer>(
  rows: readonly Row[],
  request: (row: Row) => Promise<Answer>,
): Promise<PromiseSettledResult<Answer>[]> {
  const results: PromiseSettledResult<Answer>[] = [];
  for (const row of rows) results.push(...(await Promise.allSettled([request(row)])));
  return results;
}
