import type { Command } from './command.ts';
import { createAdmin } from './commands/create-admin.ts';
import { disableOidcOnly } from './commands/disable-oidc-only.ts';
import { migrateCommand } from './commands/migrate.ts';
import { resetPassword } from './commands/reset-password.ts';

export const COMMANDS: readonly Command[] = [migrateCommand, createAdmin, resetPassword, disableOidcOnly];
