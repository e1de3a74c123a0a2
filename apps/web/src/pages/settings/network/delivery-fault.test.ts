import { DELIVERY_FAULTS } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { delivery as de } from '../../../locales/generated/de/pages.bundle.ts';
import { delivery as en } from '../../../locales/generated/en/pages.bundle.ts';
import { delivery as fr } from '../../../locales/generated/fr/pages.bundle.ts';

/** Its words name the field. */
const NAMED = 'TLS_FILE_UNREADABLE';

it.each([
  ['en', en],
  ['de', de],
  ['fr', fr],
])('in %s, each fault of a delivery has words', (_, { faults, fileUnreadable }) => {
  const codes = [...Object.keys(faults), NAMED];
  expect(codes.toSorted()).toEqual(Object.keys(DELIVERY_FAULTS).toSorted());
  expect(fileUnreadable('CA')).toContain('CA');
});
