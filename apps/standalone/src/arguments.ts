/** The arguments of `npm start`. */
import { parseArgs } from 'node:util';
import { invalid } from '@portcullis/errors';

const MOST_WORKERS = 32;

/** How many workers to start: `--workers N`, by default one. @throws invalid */
export function workersOf(args: string[]): number {
  const count = Number(given(args));
  if (Number.isInteger(count) && count >= 1 && count <= MOST_WORKERS) return count;
  throw invalid('USAGE', `--workers is a number from 1 to ${MOST_WORKERS}`);
}

function given(args: string[]): string {
  const options = { workers: { type: 'string', default: '1' } } as const;
  try {
    return parseArgs({ args, options }).values.workers;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalid('USAGE', `${why}; npm start knows --workers N alone`);
  }
}
