import { describe, expect, it } from 'vitest';
import {
  choice,
  flag,
  optional,
  order,
  page,
  place,
  text,
  timeRange,
  view,
  words,
} from './codecs.ts';
import { defineFilter } from './filter.ts';

const NOW = Date.parse('2026-11-21T12:00:30Z');
const FILTER = defineFilter({
  q: words(),
  owner: text('owner', 'requested_by'),
  folder: optional('folder'),
  state: choice('state', ['all', 'done'], (status) => (status === 'all' ? {} : { status }), 'all'),
  severity: choice('severity', ['LOW', 'HIGH'], (severity) => ({ severity })),
  fresh: flag('new', (now) => ({ since: now })),
  time: timeRange(),
  look: view(choice('look', ['tree', 'list'], () => ({}), 'tree')),
  sort: order(['name', '-name'], 'name'),
  page: page(),
  open: place('open'),
});
const read = (address: string) => FILTER.read(new URLSearchParams(address));
const ALL =
  'q=a&owner=ann&folder=team&state=done&severity=LOW&new=true&range=day&look=list&sort=-name&page=2&open=7';

it('an address is written as it was read', () => {
  expect(new URLSearchParams(FILTER.write(read(ALL)) as Record<string, string>).toString()).toBe(
    ALL,
  );
});

it('what is not known is read as the initial value, which is not written', () => {
  const odd = read('state=odd&severity=odd&new=1&range=odd&look=odd&sort=odd&page=0&x=1');
  expect(odd).toEqual(read(''));
  expect(FILTER.write(odd)).toEqual({});
});

it('the query has each condition by the name of the API, without spaces around texts', () => {
  expect(FILTER.query(read(`${ALL}&x=1`), NOW)).toEqual({
    ...{ q: 'a', requested_by: 'ann', folder: 'team', status: 'done', severity: 'LOW' },
    ...{ since: '2026-11-20T12:00:00.000Z', sort: '-name', page: 2 },
  });
  expect(FILTER.query(read('q=+b+&owner=+&new=true'), NOW)).toEqual({
    q: 'b',
    since: NOW,
    page: 1,
  });
  expect(FILTER.query(read(''), NOW)).toEqual({ page: 1 });
});

describe('a change', () => {
  it.each([
    ['of a condition starts on the first page', { q: 'b' }, { q: 'b', open: '7' }],
    ['of the page is one', { page: 3 }, { q: 'a', page: '3', open: '7' }],
    ['to no condition removes all of them', FILTER.none, { open: '7' }],
  ])('%s', (_, change, written) => {
    expect(FILTER.write(read('q=a&page=2&open=7'), change)).toEqual(written);
  });

  it.each([
    [{ page: 2 }, true],
    [{ open: '7' }, true],
    [{ open: null }, false],
    [{ q: 'a' }, false],
  ])('%j is an entry of the history: %s', (change, remembered) => {
    expect(FILTER.remembers(change)).toBe(remembered);
  });
});

it.each([
  ['q=a', true, 'q=a'],
  ['new=true&page=2', true, 'new=true'],
  ['sort=-name&look=list&open=7', false, 'look=list&sort=-name'],
])('“%s” leaves rows out: %s, and is saved as “%s”', (address, filtered, saved) => {
  expect(FILTER.isFiltered(read(address))).toBe(filtered);
  expect(FILTER.saved(read(address))).toBe(saved);
});

it('only what is typed waits until the account has stopped typing', () => {
  expect(FILTER.typed(read(ALL))).toEqual({ q: 'a', owner: 'ann' });
});
