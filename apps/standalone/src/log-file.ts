import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const CLOSED = -1;

export interface LogFile {
  line(text: string): void;
  close(): void;
}

/** Grows to `maxBytes`, then becomes `<path>.1` in the place of the one before, and starts anew. */
export function openLogFile(path: string, maxBytes = 20 * 2 ** 20): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;

  function line(text: string): void {
    try {
      if (size > maxBytes) turnOver();
      size += writeSync(file, `${text}\n`);
    } catch {
      // A full disk must not end the supervisor: the log is what can be missed.
    }
  }

  function turnOver(): void {
    renameSync(path, `${path}.1`);
    closeSync(file);
    file = openSync(path, 'a', 0o600);
    size = 0;
  }

  /** A line that comes later must not go to whatever file has the number next. */
  function close(): void {
    closeSync(file);
    file = CLOSED;
  }

  return { line, close };
}
