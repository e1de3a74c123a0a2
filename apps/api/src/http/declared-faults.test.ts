/** C4c: every fault that the sources of a feature name is declared in its part of the contract. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Contract, contract, faultsOf } from '@portcullis/contract';
import { expect, it } from 'vitest';

const FEATURES = path.join(import.meta.dirname, '..', 'features');
const FACTORY =
  /\b(?:invalid|unauthenticated|forbidden|notFound|conflict|tooLarge|rateLimited|unavailable)\(\s*'([A-Z_]+)'|\bfieldInvalid\(\s*[^,]+,\s*'([A-Z_]+)'/g;

/** Faults that never leave their feature. */
const INNER: Record<string, string[]> = {
  // The registry's notifications are not part of the REST API; a tag that is left is a reason.
  images: ['CREDENTIAL_INVALID', 'TAG_MOVED'],
  // Why a push after an approval was refused, which a comment and an event say.
  reviews: ['ACCOUNT_DISABLED', 'REVIEW_OUTDATED'],
  // The checks of `/ready`, which reports them with its own message.
  system: [
    'DISK_RESERVE',
    'NO_WORKER',
    'REGISTRY_DISK_RESERVE',
    'PROBE_TIMEOUT',
    'REGISTRY_UNAVAILABLE',
    'SCANNER_UNAVAILABLE',
  ],
};

/** Groups whose feature has another folder. */
const FOLDERS: Record<string, string> = { maintenance: 'system' };

const groups: [string, Contract][] = Object.entries(contract);

const folderOf = (group: string) => FOLDERS[group] ?? group;

it.each([...new Set(groups.map(([name]) => folderOf(name)))])('%s', (folder) => {
  const operations = groups.flatMap(([name, group]) =>
    folderOf(name) === folder ? Object.values(group) : [],
  );
  const declared = operations.flatMap((each) => [...faultsOf(each).values()].flat());
  const known = new Set([...declared, ...(INNER[folder] ?? [])]);
  expect(codesIn(path.join(FEATURES, folder)).filter((code) => !known.has(code))).toEqual([]);
});

function codesIn(dir: string): string[] {
  const files = readdirSync(dir).filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file));
  const texts = files.map((file) => readFileSync(path.join(dir, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(FACTORY)].map(([, code, ofField]) => code ?? ofField ?? ''),
  );
}
