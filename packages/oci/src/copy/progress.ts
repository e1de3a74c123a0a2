/** Progress of a copy: counts bytes and blobs and reports them four times a second. */
import type { Descriptor } from '../model/descriptor.ts';

export interface CopyProgress {
  /** Moved, reused and mounted. */
  bytesDone: number;
  bytesTotal: number;
  blobsDone: number;
  blobsTotal: number;
  bytesReused: number;
  bytesMounted: number;
  /**
   * Bytes per second transferred in the last three seconds; the average of the whole copy in the
   * last report.
   */
  rate: number;
}

export type TransferMethod = 'moved' | 'reused' | 'mounted';

export interface ProgressTracker {
  begin(descriptor: Descriptor, isBlob: boolean): ProgressEntry;
  snapshot(): CopyProgress & { bytesMoved: number };
  /** Sends the last report. */
  finish(): void;
  stop(): void;
}

export interface ProgressEntry {
  add(bytes: number, method: TransferMethod): void;
  /** Marks the content as complete and counts the remaining bytes as `method`. */
  complete(method: TransferMethod): void;
}

export interface ProgressTrackerOptions {
  bytesTotal: number;
  blobsTotal: number;
  onProgress: ((progress: CopyProgress) => void) | undefined;
  /** A listener that throws must not bring down the process from within a timer. */
  fail: (error: unknown) => void;
}

const INTERVAL_MS = 250;
const WINDOW = 12;

export function createProgressTracker({
  bytesTotal,
  blobsTotal,
  onProgress,
  fail,
}: ProgressTrackerOptions): ProgressTracker {
  const bytes: Record<TransferMethod, number> = { moved: 0, reused: 0, mounted: 0 };
  const started = performance.now();
  const samples = [{ at: started, moved: 0 }];
  let blobsDone = 0;
  let bytesDone = 0;

  const snapshot = (rate: number) => ({
    bytesDone,
    bytesTotal,
    blobsDone,
    blobsTotal,
    bytesReused: bytes.reused,
    bytesMounted: bytes.mounted,
    bytesMoved: bytes.moved,
    rate: Math.round(rate),
  });
  const report = (rate: number) => onProgress?.(snapshot(rate));
  const overall = () => perSecond(bytes.moved, performance.now() - started);

  const tick = () => {
    const now = { at: performance.now(), moved: bytes.moved };
    const oldest = samples.length >= WINDOW ? samples.shift() : samples[0];
    samples.push(now);
    try {
      report(perSecond(now.moved - (oldest?.moved ?? 0), now.at - (oldest?.at ?? started)));
    } catch (error) {
      fail(error);
    }
  };
  const timer = onProgress ? setInterval(tick, INTERVAL_MS) : undefined;

  return {
    begin(descriptor, isBlob) {
      let counted = 0;
      const count = (amount: number) => {
        // A retry moves bytes again without making progress.
        const step = Math.min(amount, descriptor.size - counted);
        counted += step;
        bytesDone += step;
        return step;
      };
      return {
        add(amount, method) {
          const step = count(amount);
          bytes[method] += method === 'moved' ? amount : step;
        },
        complete(method) {
          bytes[method] += count(descriptor.size - counted);
          if (isBlob) blobsDone += 1;
        },
      };
    },
    snapshot: () => snapshot(overall()),
    finish: () => report(overall()),
    stop: () => clearInterval(timer),
  };
}

function perSecond(bytes: number, milliseconds: number): number {
  return milliseconds > 0 ? (bytes * 1000) / milliseconds : 0;
}
