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
import { waiversCommand } from './commands/waivers.ts';

export const COMMANDS: readonly Command[] = [
  migrateCommand,
  createAdmin,
  resetPassword,
  disableOidcOnly,
  rotateKey,
  feeds,
  policies,
  waiversCommand,
  explainCommand,
  doctor,
  backup,
  restore,
  registryLogin,
];
