/** A test expects each code with which the REST API refuses. */
import { FIELD_FAULTS } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { apiFaults } from '../../tools/config-reference/fault-reference.ts';
import { ofTests } from './sources.ts';

it('no code of the REST API is without a test', () => {
  const named = new Set(ofTests.flatMap(({ text }) => text.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []));
  const codes = [...apiFaults().keys(), ...Object.keys(FIELD_FAULTS)];
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});
