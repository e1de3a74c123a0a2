/** Checks that each kind of process runs, and that their clocks agree. */
import type { Heartbeat } from '@portcullis/runtime';
import { runningProcesses } from '../running.ts';
import { clock, type DoctorCheck, type DoctorFinding, ok, warn } from './finding.ts';

const ABOUT = 'processes';
const NAMES = ['api', 'worker', 'notifier'];

export const checkProcesses: DoctorCheck = async (call) => {
  const found = await runningProcesses(call);
  if (found.length === 0)
    return [warn(ABOUT, 'Portcullis is not running', 'Start it: `npm start`.')];
  const missing = NAMES.filter((name) => !found.some((each) => each.name === name));
  const versions = new Set(found.map(({ version }) => version));
  const counts = NAMES.map(
    (name) => `${found.filter((each) => each.name === name).length} ${name}`,
  );
  const findings: DoctorFinding[] = missing.map((name) =>
    warn(
      ABOUT,
      `no ${name} is running`,
      `Start one; if it ended by itself, its log has the reason.`,
    ),
  );
  if (versions.size > 1)
    findings.push(
      warn(
        ABOUT,
        `they are of several releases: ${[...versions].join(', ')}`,
        'Restart the older ones.',
      ),
    );
  findings.push(...clocksOf(found, Date.now()));
  return findings.length > 0 ? findings : [ok(ABOUT, counts.join(', '))];
};

/** A beat that is still listed is not older than this. */
const OLDEST_BEAT_MS = 10_000;

/** Of machines whose clocks write events into the future or the past. */
export function clocksOf(
  beats: readonly Pick<Heartbeat, 'name' | 'instance' | 'seenAt'>[],
  now: number,
): DoctorFinding[] {
  return beats.flatMap(({ name, instance, seenAt }) => {
    const theirs = Date.parse(seenAt);
    const nearest = Math.min(Math.max(now - OLDEST_BEAT_MS, theirs), now);
    return clock(`${name} ${instance}`, now + theirs - nearest, { from: now, to: now });
  });
}
