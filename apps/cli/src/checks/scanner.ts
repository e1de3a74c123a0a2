/** Checks that the scanner has a database, and how old it is. */
import { createLogger } from '@portcullis/runtime';
import { createScanner } from '@portcullis/scanner';
import { type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';

const ABOUT = 'scanner';
const OLD_DAYS = 3;

export const checkScanner: DoctorCheck = async ({ config: { dataDir, scans } }) => {
  if (!scans)
    return [
      warn(
        ABOUT,
        'it is disabled: images are not scanned',
        'Remove TRIVY_ENABLED=false to scan again.',
      ),
    ];
  const log = createLogger({ name: 'doctor', level: 'silent' });
  const { binary, version, message, database } = await createScanner({ dataDir, log }).state();
  if (binary !== 'ready')
    return [
      fail(ABOUT, message, 'See the log of the workers; set TRIVY_PATH to a Trivy that runs.'),
    ];
  const found = ok(ABOUT, `Trivy ${version ?? ''}`.trim());
  return [found, database?.updatedAt ? ageOf(new Date(database.updatedAt), Date.now()) : missing()];
};

function missing(): DoctorFinding {
  const advice =
    'The workers download it; without the internet, mirror it and set TRIVY_DB_REPOSITORY.';
  return fail(ABOUT, 'there is no vulnerability database yet', advice);
}

export function ageOf(updatedAt: Date, now: number): DoctorFinding {
  const days = (now - updatedAt.getTime()) / 86_400_000;
  const message = `its vulnerability database is ${days.toFixed(1)} days old`;
  if (days <= OLD_DAYS) return ok(ABOUT, message);
  return warn(
    ABOUT,
    message,
    'Newer vulnerabilities are not seen: update it on the settings page, or see why it fails.',
  );
}
