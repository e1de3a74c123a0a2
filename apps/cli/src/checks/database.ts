/** Checks the database: its version, tables, connections and secrets. */
import { keyIdFor, loadSecretKeys } from '@portcullis/runtime';
import { type DatabaseFacts, inspectDatabase } from '@portcullis/store';
import { withStore } from '../connections.ts';
import { clock, type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';

const ABOUT = 'database';
const OLDEST = 15;

export const checkDatabase: DoctorCheck = async ({ surroundings }) => {
  const from = Date.now();
  const facts = await inspectDatabase(await surroundings.url('postgres'));
  const skew = clock(ABOUT, facts.now.getTime(), { from, to: Date.now() });
  return [versionOf(facts), tablesOf(facts), ...connectionsOf(facts), ...skew];
};

function versionOf({ version }: DatabaseFacts): DoctorFinding {
  const text = `PostgreSQL ${version}`;
  if (Number.parseInt(version, 10) >= OLDEST) return ok(ABOUT, text);
  return fail(ABOUT, text, `Portcullis needs PostgreSQL ${OLDEST} or newer.`);
}

function tablesOf({ missing, unknown, failed, restoring }: DatabaseFacts): DoctorFinding {
  if (restoring !== null)
    return fail(
      ABOUT,
      `the restore of the backup of ${restoring} has not ended`,
      'If no restore is running, run `portcullis restore <file>` again with that backup.',
    );
  if (failed.length > 0)
    return fail(
      ABOUT,
      `the migration ${failed[0]} broke off`,
      'See _prisma_migrations.logs, or restore a backup.',
    );
  if (missing.length > 0)
    return fail(
      ABOUT,
      `${missing.length} migration(s) are missing`,
      'Run `portcullis migrate`, or restart the api.',
    );
  if (unknown.length > 0)
    return fail(
      ABOUT,
      'its tables are those of a newer release',
      'Run that release, or restore an older backup.',
    );
  return ok(ABOUT, 'its tables are up to date');
}

function connectionsOf({ connections: { used, limit } }: DatabaseFacts): DoctorFinding[] {
  if (used < limit * 0.8) return [];
  return [
    warn(
      ABOUT,
      `${used} of ${limit} connections are taken`,
      'Raise max_connections: each process takes up to 10.',
    ),
  ];
}

/** Checks that stored secrets can be opened with the available key. */
export const checkSecretKey: DoctorCheck = async (call) => {
  const { secretKey, previousKey, dataDir } = call.config;
  const keys = await loadSecretKeys({ secretKey, previousKey, dataDir });
  const [present, ...others] = keys.map(keyIdFor);
  const found = Object.entries(await withStore(call, (store) => store.secrets.keyIds()));
  const count = (wanted: (id: string) => boolean) =>
    found.filter(([id]) => wanted(id)).reduce((sum, [, number]) => sum + number, 0);
  const lost = count((id) => id !== present && !others.includes(id));
  const previous = count((id) => others.includes(id));
  const about = 'secret key';
  const advice =
    'Restore the key that encrypted them (see the backup), or enter those passwords again.';
  if (lost > 0)
    return [fail(about, `${lost} stored secret(s) were encrypted with another key`, advice)];
  if (previous > 0 || others.length > 0)
    return [warn(about, 'it is being changed', 'Run `portcullis rotate-key` to finish.')];
  return [ok(about, `it decrypts all ${count(() => true)} stored secret(s)`)];
};
