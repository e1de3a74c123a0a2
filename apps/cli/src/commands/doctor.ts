/** Runs all checks, and says what to do about what they find. */
import { isAppError } from '@portcullis/errors';
import { checkAuditLog } from '../checks/audit-log.ts';
import { checkDataDir } from '../checks/data-dir.ts';
import { checkDatabase, checkSecretKey } from '../checks/database.ts';
import { type DoctorCheck, type DoctorFinding, fail } from '../checks/finding.ts';
import { checkCollectors, checkOidc } from '../checks/outside.ts';
import { checkProcesses } from '../checks/processes.ts';
import { checkPublicUrl } from '../checks/public-url.ts';
import { checkRedis } from '../checks/redis.ts';
import { checkRegistry } from '../checks/registry.ts';
import { checkRegistryStorage } from '../checks/registry-storage.ts';
import { checkScanner } from '../checks/scanner.ts';
import { checkSigningKey } from '../checks/signing-key.ts';
import type { Command, CommandCall } from '../command.ts';

const CHECKS: Readonly<Record<string, DoctorCheck>> = {
  'data directory': checkDataDir,
  database: checkDatabase,
  'secret key': checkSecretKey,
  'signing key': checkSigningKey,
  redis: checkRedis,
  registry: checkRegistry,
  'registry storage': checkRegistryStorage,
  scanner: checkScanner,
  processes: checkProcesses,
  'audit log': checkAuditLog,
  'public address': checkPublicUrl,
  'identity provider': checkOidc,
  'e-mail and syslog': checkCollectors,
};

export const doctor: Command = {
  name: 'doctor',
  words: [],
  summary: 'check every dependency, with a remedy for each fault',
  help: [
    'Each finding is ok, warn or fail; the exit status is 1 if one is fail. If `npm start` runs, it checks the services',
    'of that installation; if it is stopped, it starts them temporarily. It changes nothing.',
  ],
  options: {},
  async run(call) {
    const findings = call.surroundings.fresh ? await neverStarted(call) : await look(call, CHECKS);
    const failed = findings.some(({ state }) => state === 'fail');
    return {
      lines: findings.flatMap(linesOf),
      facts: { ok: !failed, findings },
      exitCode: failed ? 1 : 0,
    };
  },
};

async function neverStarted(call: CommandCall): Promise<DoctorFinding[]> {
  const message = `nothing was ever started in ${call.config.dataDir}`;
  const advice = 'Run `npm start`, or set DATA_DIR to where it was started.';
  return [
    ...(await look(call, { 'data directory': checkDataDir })),
    fail('Portcullis', message, advice),
  ];
}

/** Sequentially, in the order people read. */
async function look(call: CommandCall, checks: typeof CHECKS): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const [about, check] of Object.entries(checks))
    findings.push(...(await check(call).catch((error: unknown) => [broken(about, error)])));
  return findings;
}

function broken(about: string, error: unknown): DoctorFinding {
  if (!isAppError(error)) throw error;
  return fail(about, error.message, ADVICE[error.code] ?? 'See the message.');
}

const ADVICE: Readonly<Record<string, string>> = {
  DATABASE_UNAVAILABLE:
    'Start PostgreSQL, and check DATABASE_URL: its host, port, account and password.',
  DATABASE_READ_ONLY: 'Promote the server, or let DATABASE_URL lead to the primary.',
  DATABASE_NOT_MIGRATED: 'Run `portcullis migrate`, or restart the api.',
  RESTORE_UNFINISHED: 'Run `portcullis restore <file>` again with the same backup.',
  REDIS_UNAVAILABLE: 'Start Redis, and check REDIS_URL: its host, port and password.',
  SERVICE_FAILED: 'Its last lines, above, say why it does not start.',
  SECRET_UNREADABLE: 'See the finding about the secret key.',
};

function linesOf({ state, about, message, advice }: DoctorFinding): string[] {
  const line = `${state.padEnd(5)} ${about.padEnd(18)} ${message}`;
  return advice === undefined ? [line] : [line, `${' '.repeat(25)}→ ${advice}`];
}
