import { DELIVERY_FAULTS } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { delivery as de } from '../../../locales/de/outcomes/delivery.ts';
import { delivery as en } from '../../../locales/en/outcomes/delivery.ts';
import { delivery as fr } from '../../../locales/fr/outcomes/delivery.ts';

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
