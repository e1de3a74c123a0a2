import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './problem-error.ts';

const TRIES = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => count < TRIES && isTransient(error),
        retryDelay: (count, error) => waitBefore(count, error),
      },
    },
  });
}

/** Network failures, rate limits and unavailable services may pass; other errors do not. */
export function isTransient(error: unknown): boolean {
  return error instanceof ProblemError && [0, 429, 502, 503, 504].includes(error.status);
}

function waitBefore(count: number, error: Error): number {
  const delay = error instanceof ProblemError ? error.retryAfter : null;
  return Math.min(delay === null ? 1000 * 2 ** count : delay * 1000, 15_000);
}
