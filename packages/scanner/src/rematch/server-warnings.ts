/**
 * Counts the warnings of a running `trivy server`. It writes them to standard error before it
 * answers, but they arrive by another way than the answer. A mark that the server writes after the
 * answer has all of them before it.
 */
import { unavailable } from '@portcullis/errors';
import { readWarnings } from '../judging/scanner-warnings.ts';

export interface ServerWarnings {
  /** Takes the next text of standard error. */
  read(chunk: string): void;
  /** Nothing more will be read. */
  end(): void;
  /** So far. */
  count(): number;
  /** The number of warnings before the line with this mark. @throws unavailable `REMATCH_FAILED` */
  countBefore(mark: string, signal: AbortSignal): Promise<number>;
}

/** The beginning of a line says what it is; names of packages may make it long. */
const LONGEST_LINE = 64 * 1024;

export function createServerWarnings(): ServerWarnings {
  const waiting = new Map<string, PromiseWithResolvers<number>>();
  let warnings = 0;
  let begun = '';
  let hasEnded = false;

  function take(line: string): void {
    const mark = [...waiting.keys()].find((each) => line.includes(each));
    if (mark !== undefined) waiting.get(mark)?.resolve(warnings);
    else if (readWarnings(line).messages.length > 0) warnings += 1;
  }

  return {
    read(chunk) {
      const [first = '', ...lines] = chunk.split('\n');
      begun = (begun + first).slice(0, LONGEST_LINE);
      for (const line of lines) {
        take(begun);
        begun = line.slice(0, LONGEST_LINE);
      }
    },
    end() {
      hasEnded = true;
      for (const { reject } of waiting.values()) reject(unheard());
    },
    count: () => warnings,
    async countBefore(mark, signal) {
      if (hasEnded) throw unheard();
      const counted = Promise.withResolvers<number>();
      const giveUp = () => counted.reject(unheard(signal.reason));
      waiting.set(mark, counted);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      try {
        return await counted.promise;
      } finally {
        waiting.delete(mark);
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

function unheard(cause?: unknown): Error {
  const message = "it is not known whether the scanner's server warned";
  return unavailable('REMATCH_FAILED', message, { cause });
}
