/** One registry, started and tried in each way. */
import type { Harness } from '../worker/harness.ts';
import type { Candidate } from './candidates.ts';
import { opener } from './content.ts';
import { JOB_NAMES, runJobs } from './jobs.ts';
import { type Check, HABITS, PROTOCOL } from './protocol.ts';

export interface Measured {
  name: string;
  origin: string;
  version: string;
  /** By the name of a check: what was met, or the fault. */
  results: Record<string, string>;
  habits: Record<string, string>;
}

export const CHECK_NAMES: readonly string[] = [...Object.keys(PROTOCOL), ...JOB_NAMES];
export const HABIT_NAMES: readonly string[] = Object.keys(HABITS);

const WORKS = '✓';
const FAILS = '✗';

/** @throws the fault that keeps the registry from starting */
export async function measure(
  { name, origin, start }: Candidate,
  harness: Harness,
): Promise<Measured> {
  const registry = await start();
  try {
    const { url, version } = registry;
    const site = { url, open: opener(url) };
    const results: Record<string, string> = {};
    const attempt = async (check: string, work: () => Promise<string>) => {
      results[check] = await work().then(
        (note) => (note === '' ? WORKS : `${WORKS} ${note}`),
        (error: unknown) => `${FAILS} ${firstLine(error)}`,
      );
    };
    for (const [check, work] of Object.entries(PROTOCOL)) await attempt(check, () => work(site));
    await runJobs(harness, url, attempt);
    return { name, origin, version, results, habits: await habitsOf(site) };
  } finally {
    await registry.stop();
  }
}

async function habitsOf(site: Parameters<Check>[0]): Promise<Record<string, string>> {
  const habits: Record<string, string> = {};
  for (const [habit, probe] of Object.entries(HABITS))
    habits[habit] = await probe(site).catch((error: unknown) => `${FAILS} ${firstLine(error)}`);
  return habits;
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ''] = text.split('\n');
  // What differs from run to run would make each page another one.
  return line
    .replaceAll(/127\.0\.0\.1:\d+/g, 'the registry')
    .replaceAll(/sha256:[0-9a-f]+/g, 'sha256:…')
    .slice(0, 200);
}
