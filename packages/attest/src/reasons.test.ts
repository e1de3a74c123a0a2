import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AUTHORITY_FAULTS } from './authority/faults.ts';
import { REASONS } from './reasons.ts';

it('a test expects each code', () => {
  const files = globSync('**/*.test.ts', { cwd: import.meta.dirname });
  const texts = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'));
  const named = new Set(texts.flatMap((text) => text.match(/\b[A-Z][A-Z_]+\b/g) ?? []));
  expect([...REASONS, ...AUTHORITY_FAULTS].filter((code) => !named.has(code))).toEqual([]);
});
