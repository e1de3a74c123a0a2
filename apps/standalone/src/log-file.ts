import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const CLOSED = -1;

export interface LogFile {
  line(text: string): void;
  close(): void;
}

/** A log file that is rotated: at `maxBytes` it becomes `<path>.1`, replacing the one before. */
export function openLogFile(path: string, maxBytes = 20 * 2 ** 20): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;

  function line(text: string): void {
    try {
      if (size > maxBytes) rotate();
      size += writeSync(file, `${text}\n`);
    } catch {
      // A full disk must not end the supervisor: the log is dispensable.
    }
  }

  function rotate(): void {
    renameSync(path, `${path}.1`);
    closeSync(file);
    file = openSync(path, 'a', 0o600);
    size = 0;
  }

  /** A later line must not be written to another file that reuses the descriptor. */
  function close(): void {
    closeSync(file);
    file = CLOSED;
  }

  return { line, close };
}
