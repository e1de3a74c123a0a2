import { migrate } from '@portcullis/store';
import type { Command } from '../command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  words: [],
  summary: 'bring the tables of the database up to date',
  help: [
    'Applies the migrations that the database lacks, in order. Safe to run at any time and by many at once: one applies,',
    'the others wait. Migrations only go forward: to go back, restore a backup.',
  ],
  options: {},
  async run({ surroundings }) {
    const applied = await migrate(await surroundings.url('postgres'));
    const lines =
      applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied ${name}`);
    return { lines, facts: { applied } };
  },
};
