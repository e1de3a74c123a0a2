/** Progress on standard error: a bar on a terminal, one line for each step in a log. */
import { plainLine } from '@portcullis/command';

export interface ProgressLine {
  /** Whether the bytes between two steps are shown. */
  live: boolean;
  show(state: ProgressState): void;
  /** Removes the bar. */
  clear(): void;
}

interface ProgressState {
  /** What runs; a change is a step. */
  step: string;
  done: number;
  total: number;
  /** Bytes per second; null where it is not known. */
  rate: number | null;
}

interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const BAR = 24;
const ERASE = '\r\u001b[2K';

export function createProgress(
  stream: ProgressStream,
  { plain }: { plain: boolean },
): ProgressLine {
  const live = stream.isTTY === true && !plain;
  let last = '';
  return {
    live,
    show(state) {
      if (live)
        stream.write(`${ERASE}${plainLine(barLine(state)).slice(0, (stream.columns ?? 80) - 1)}`);
      else if (state.step !== last) stream.write(`${plainLine(state.step)}\n`);
      last = state.step;
    },
    clear() {
      if (live && last !== '') stream.write(ERASE);
      last = '';
    },
  };
}

/** For silent runs. */
export const NO_PROGRESS: ProgressLine = { live: false, show: () => {}, clear: () => {} };

export function barLine({ step, done, total, rate }: ProgressState): string {
  if (total <= 0) return step;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  const speed = rate === null || rate <= 0 ? '' : `  ${bytesText(rate)}/s`;
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${bytesText(done)} / ${bytesText(total)}${speed}  ${step}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024;
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
