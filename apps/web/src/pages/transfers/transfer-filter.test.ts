import { expect, it } from 'vitest';
import { isFiltered, parametersOf, queryOf, readFilter } from './transfer-filter.ts';

const read = (text: string) => readFilter(new URLSearchParams(text));

it.each<[sentence: string, address: string, query: object]>([
  ['nothing asks for all, newest first', '', {}],
  ['the state asks for its statuses', 'state=running', { status: ['running'] }],
  [
    'blocked is what only the gate stopped',
    'state=blocked',
    { status: ['partly_failed', 'failed'], blocked: 'true' },
  ],
  [
    'failed is everything else that did not end well',
    'state=failed',
    { status: ['partly_failed', 'failed'], blocked: 'false' },
  ],
  [
    'words, account and order are passed on',
    'q=nginx&owner=ann&sort=status',
    {
      q: 'nginx',
      owner: 'ann',
      sort: 'status',
    },
  ],
  ['an unknown state or order is ignored', 'state=odd&sort=odd', {}],
])('%s', (_, address, query) => {
  expect(queryOf(read(address), Date.UTC(2026, 0, 2))).toEqual(query);
});

it('an address that was read is written as it was, and the order alone is no filter', () => {
  const address = 'state=failed&q=a&owner=ann&sort=owner';
  expect(new URLSearchParams(parametersOf(read(address))).toString()).toBe(address);
  expect(isFiltered(read('sort=owner'))).toBe(false);
  expect(isFiltered(read('owner=ann'))).toBe(true);
});
