import { AGE, SIGNATURE } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { waivedName } from './use-waived-name.ts';

it('what is accepted has a name in words, and a vulnerability its id', () => {
  const words = { age: 'age', signatures: 'signatures' };
  const named = [AGE, SIGNATURE, 'CVE-2026-1'].map((each) => waivedName(each, words));
  expect(named).toEqual(['age', 'signatures', 'CVE-2026-1']);
});
