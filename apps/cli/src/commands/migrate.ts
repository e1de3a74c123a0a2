import { migrate } from '@portcullis/store';
import type { Command, CommandCall } from '../command.ts';
import { announceChange } from '../connections.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  words: [],
  summary: 'apply the migrations that the database lacks',
  help: [
    'Applies the migrations that the database lacks, in order. Safe to run at any time and by many at once: one applies,',
    'the others wait. Migrations only go forward: to go back, restore a backup.',
  ],
  options: {},
  // So that it runs without a DATA_DIR, as in the job of a Helm release.
  services: ['postgres'],
  async run(call) {
    const applied = await migrate(await call.surroundings.url('postgres'), {
      onWait: call.terminal.note,
    });
    if (applied.length === 0)
      return { lines: ['The database is up to date.'], facts: { applied, warnings: [] } };
    const warnings = await recordMigrations(call, applied);
    return {
      lines: [...applied.map((name) => `applied ${name}`), ...warnings],
      facts: { applied, warnings },
    };
  },
};

function recordMigrations(call: CommandCall, applied: readonly string[]): Promise<string[]> {
  return announceChange(call, { event: 'system.migrate', action: 'migrate', detail: { applied } });
}
