import { globSync, readFileSync } from 'node:fs';
import { SIGNATURE_REASONS } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { AUTHORITY_FAULTS } from './authority/faults.ts';

it('a test expects each code', () => {
  const files = globSync('**/*.test.ts', { cwd: import.meta.dirname });
  const texts = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
  const named = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []));
  expect([...SIGNATURE_REASONS, ...AUTHORITY_FAULTS].filter((code) => !named.has(code))).toEqual(
    [],
  );
});
