import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETUP_COMMANDS } from './setup-commands.ts';

const guide = readFileSync(
  new URL('../../../../../../docs/guide/kubernetes.md', import.meta.url),
  'utf8',
).replaceAll(/ \\\n\s+/g, ' ');

it.each(Object.entries(SETUP_COMMANDS))('the command for %s is that of the guide', (_, command) => {
  expect(guide).toContain(command);
});
