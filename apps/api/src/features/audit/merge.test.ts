import type { AuditEvent } from '@portcullis/events';
import { sampleEvent } from '@portcullis/testing/samples';
import { expect, it } from 'vitest';
import { merge } from './merge.ts';

function event(second: number, id = `id-${second}`) {
  return sampleEvent({ id, at: new Date(second * 1000).toISOString() });
}

const position = (second: number, id = `id-${second}`) => ({ at: new Date(second * 1000), id });
const ids = (items: AuditEvent[]) => items.map(({ id }) => id);

it('an event in both parts appears once, ordered by time and then by id', () => {
  const stream = { items: [event(5), event(3), event(4), event(4, 'id-4b')], reached: null };
  const archive = { items: [event(3), event(2)], reached: null };
  const { items, next } = merge([stream, archive], 10);
  expect(ids(items)).toEqual(['id-5', 'id-4b', 'id-4', 'id-3', 'id-2']);
  expect(next).toBeNull();
});

it('the next page begins after the last event of a full page', () => {
  const { items, next } = merge([{ items: [event(3), event(2), event(1)], reached: null }], 2);
  expect(ids(items)).toEqual(['id-3', 'id-2']);
  expect(next).toEqual(position(2));
});

it('events beyond the searched range of either part are left for the next page', () => {
  const stream = { items: [event(9), event(5)], reached: position(4) };
  const archive = { items: [event(6), event(3), event(2)], reached: position(2) };
  const { items, next } = merge([stream, archive], 10);
  expect(ids(items)).toEqual(['id-9', 'id-6', 'id-5']);
  expect(next).toEqual(position(4));
});

it('an empty page has the position of the next one', () => {
  expect(merge([{ items: [], reached: position(7) }], 10)).toEqual({
    items: [],
    next: position(7),
  });
});
