/** What became of the same request for many rows. */
import { ProblemError } from '../../api/problem-error.ts';

export interface BulkResult {
  done: number;
  refused: number;
  failed: number;
  reasons: readonly BulkReason[];
}

interface BulkReason {
  code: string;
  count: number;
  /** In place of the count and the words of the code. */
  text?: string;
}

export function bulkResultOf(results: readonly PromiseSettledResult<unknown>[]): BulkResult {
  const codes = results.flatMap((result) =>
    result.status === 'rejected' ? [codeOf(result.reason)] : [],
  );
  const counted = [...Map.groupBy(codes, (code) => code)];
  return {
    done: results.length - codes.length,
    refused: 0,
    failed: codes.length,
    reasons: counted.map(([code, all]) => ({ code, count: all.length })),
  };
}

export function codeOf(reason: unknown): string {
  return reason instanceof ProblemError ? reason.code : 'INTERNAL';
}
