/** The `portcullis` command as data. */
import type { CommandProgram } from '@portcullis/command';
import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { createAdmin } from './commands/create-admin.ts';
import { disableOidcOnly } from './commands/disable-oidc-only.ts';
import { doctor } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { feeds } from './commands/feeds.ts';
import { migrateCommand } from './commands/migrate.ts';
import { policies } from './commands/policies.ts';
import { registryLogin } from './commands/registry-login.ts';
import { resetPassword } from './commands/reset-password.ts';
import { restore } from './commands/restore.ts';
import { rotateKey } from './commands/rotate-key.ts';
import { rotateSigningKey } from './commands/rotate-signing-key.ts';
import { waiversCommand } from './commands/waivers.ts';

const COMMANDS: readonly Command[] = [
  migrateCommand,
  createAdmin,
  resetPassword,
  disableOidcOnly,
  rotateKey,
  rotateSigningKey,
  feeds,
  policies,
  waiversCommand,
  explainCommand,
  doctor,
  backup,
  restore,
  registryLogin,
];

export const PROGRAM: CommandProgram<Command> = {
  name: 'portcullis',
  purpose: 'administration from the command line',
  commands: COMMANDS,
  closing: [
    '`portcullis help <command>` shows more. It reads the same environment as the processes (DATABASE_URL, REDIS_URL,',
    'REGISTRY_URL, DATA_DIR, SECRET_KEY …). What is not set is read from DATA_DIR, as `npm start` stored it.',
    'The exit status is 0 for success, 1 for a failure, 2 for wrong usage.',
  ],
};
