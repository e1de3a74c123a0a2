/** What of a process's log is shown on the console: warnings and worse, in one line each; all of it is in the log file. */
import { z } from 'zod';

const Entry = z.object({
  level: z.number(),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).partial().optional(),
});

const WARN = 40;

/** null: nothing for the console. What is not a log entry (a crash's stack) is shown as it is. */
export function consoleLine(name: string, line: string): string | null {
  const entry = parse(line);
  if (entry === null) return line.trim() === '' ? null : `${name}: ${line}`;
  if (entry.level < WARN) return null;
  return `${name}: ${[entry.msg, entry.err?.message].filter(Boolean).join(': ')}`;
}

function parse(line: string): z.infer<typeof Entry> | null {
  if (!line.startsWith('{')) return null;
  try {
    return Entry.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
