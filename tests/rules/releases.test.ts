/** Only the mechanism of upgrades speaks of releases before this one: none was ever published. */
import { expect, it } from 'vitest';
import { words, written } from './sources.ts';

const WORDS = /\b(?:older|earlier|previous)\s+(?:\*\s+)?releases?\b/i;

/** Files that may, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'apps/cli/src/commands/restore.ts': 'a backup is migrated',
  'packages/store/src/schema/migrate.ts': 'tables as another release had them',
  'packages/store/src/schema/schema-version.ts': 'which releases run on the tables',
  'tests/deploy/rolling/main.ts': 'two releases run side by side',
  'tests/deploy/rolling/release.ts': 'two releases run side by side',
  'apps/web/src/pages/job/gaps/gap-sentence.ts': 'a gap without words',
  'packages/contract/src/staging/coverage-gap.ts': 'a gap without words',
  'packages/contract/src/operations/notifications/notifications.ts': 'the fact `local`',
  'packages/domain/src/policy/verdict.ts': 'severities of packages',
  'packages/domain/src/policy/vulnerability.ts': 'severities of packages',
  'packages/local-registry/src/garbage/sweep-directory.int.test.ts': 'the key of the lock',
  'packages/scanner/src/rematch/scanned-image.ts': 'a gap without words',
  'tests/web/words/web-server-words.night.test.ts': 'a gap without words',
};

const found = [...written, ...words].filter(({ text }) => WORDS.test(text)).map(({ file }) => file);

it('no other source has code or words for releases before this one', () => {
  expect(found.filter((file) => !(file in ALLOWED))).toEqual([]);
});

it('each exception is still needed', () => {
  expect(Object.keys(ALLOWED).filter((file) => !found.includes(file))).toEqual([]);
});
