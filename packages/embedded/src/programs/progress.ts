/** Progress lines for work that may take minutes: on a slow network, silence looks like a hang. */

export interface ProgressLog {
  /** Worded as the line that is logged first: `fetching redis-server with apt`. */
  doing: string;
  log: ((text: string) => void) | undefined;
  /** The progress so far, for the lines in between. */
  detail?: (() => Promise<string>) | undefined;
  everyMs?: number | undefined;
}

const EVERY_MS = 15_000;

/** Logs the start, the progress at intervals, and the duration. */
export async function withProgress<T>(
  { doing, log = () => {}, detail = async () => '', everyMs = EVERY_MS }: ProgressLog,
  work: () => Promise<T>,
): Promise<T> {
  const from = Date.now();
  const seconds = () => `${((Date.now() - from) / 1000).toFixed(0)} s`;
  const more = async () => {
    const so = await detail().catch(() => '');
    log(`still ${doing}: ${[seconds(), so].filter(Boolean).join(', ')}`);
  };
  log(doing);
  const timer = setInterval(() => void more(), everyMs);
  try {
    const result = await work();
    log(`done ${doing} (${seconds()})`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
