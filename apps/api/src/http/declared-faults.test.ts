/** C4c: whatever fault the sources of a feature name, its part of the contract declares. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Contract, contract, faultsOf } from '@portcullis/contract';
import { expect, it } from 'vitest';

const FEATURES = path.join(import.meta.dirname, '..', 'features');
const FACTORY =
  /\b(?:invalid|unauthenticated|forbidden|notFound|conflict|tooLarge|rateLimited|unavailable)\(\s*'([A-Z_]+)'|\bfieldInvalid\(\s*[^,]+,\s*'([A-Z_]+)'/g;

/** Faults that never leave their feature, with where they end. */
const INNER: Record<string, string[]> = {
  // The registry's notifications are no part of the REST API.
  images: ['CREDENTIAL_INVALID'],
  // The sides of `/ready`, which says what is away with a message of its own.
  system: ['DISK_RESERVE', 'PROBE_TIMEOUT', 'REGISTRY_UNAVAILABLE', 'SCANNER_UNAVAILABLE'],
};

const groups: [string, Contract][] = Object.entries(contract);

it.each(groups)('%s', (name, operations) => {
  const declared = new Set(
    Object.values(operations).flatMap((each) => [...faultsOf(each).values()].flat()),
  );
  const known = new Set([...declared, ...(INNER[name] ?? [])]);
  expect(codesIn(path.join(FEATURES, name)).filter((code) => !known.has(code))).toEqual([]);
});

function codesIn(dir: string): string[] {
  const files = readdirSync(dir).filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file));
  const texts = files.map((file) => readFileSync(path.join(dir, file), 'utf8'));
  return texts.flatMap((text) =>
    [...text.matchAll(FACTORY)].map(([, code, ofField]) => code ?? ofField ?? ''),
  );
}
