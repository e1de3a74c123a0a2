/**
 * Formats a process's JSON log for the terminal: one line per entry, by default only warnings and
 * worse.
 */

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** Null where nothing is shown. A line that is no log entry (a crash's stack) is shown as it is. */
export function consoleLine(name: string, line: string, least = 'warn'): string | null {
  const entry = parse(line);
  if (entry === null) return line.trim() === '' ? null : `${name}: ${line}`;
  if (LEVELS.indexOf(String(entry.level)) < LEVELS.indexOf(least)) return null;
  const parts = [entry.msg, messageOf(entry.err), entry.reason].filter(
    (part) => typeof part === 'string',
  );
  return `${name}: ${readBounded(parts.map(firstLine).join(': '))}`;
}

const WIDEST = 300;

function readBounded(text: string): string {
  return text.length > WIDEST ? `${text.slice(0, WIDEST)}…` : text;
}

/**
 * A message may contain a tool's whole output; the rest of it is in the log. Those of Prisma begin
 * with an empty line.
 */
function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}

function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    const entry: unknown = JSON.parse(line);
    return isRecord(entry) && 'level' in entry ? entry : null;
  } catch {
    return null;
  }
}

function messageOf(error: unknown): unknown {
  return isRecord(error) ? error.message : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
