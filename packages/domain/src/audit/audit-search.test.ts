import { expect, it } from 'vitest';
import { auditWords, matchesSearch, searchOf } from './audit-search.ts';

const EVENT = {
  event: 'image.push',
  outcome: 'denied',
  actor: { name: 'Ada' },
  action: 'push',
  resource: { kind: 'image', id: null, name: 'team/app', folder: 'team' },
  client_ip: '10.1.2.3',
  user_agent: 'docker/24.0',
  path: '/v2/team/app/manifests/1.2',
  request_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  detail: {
    destination: 'ghcr.io/team/app:1.2',
    code: 'FOLDER_FORBIDDEN',
    deep: { list: ['Zoë', 7] },
  },
};

it.each([
  ['ada', true],
  ['ADA  denied', true],
  ['ada bob', false],
  ['team/app:1.2', true],
  ['team/app:2.1', false],
  ['"team/app"', true],
  ['10.1.2.3', true],
  ['10.3.2.1', false],
  ['0f8fad5b-d9cb-469f-a165-70867728950e', true],
  ['FOLDER_FORBIDDEN', true],
  ['zoë 7', true],
  ['tea', false],
])('%s is searched by its whole words, and by its terms: %s', (text, found) => {
  const search = searchOf(text);
  expect(search && matchesSearch(EVENT, search)).toBe(found);
});

it('text without a word searches for nothing', () => {
  expect(searchOf(' -- % ')).toBeNull();
});

it('an event has a limited number of words of limited length, each once', () => {
  const many = Array.from({ length: 1000 }, (_, n) => `word${n}`);
  const words = auditWords({
    ...EVENT,
    detail: { many, long: 'x'.repeat(5000), again: 'ada ada' },
  });
  expect(words).toHaveLength(200);
  expect(new Set(words).size).toBe(200);
  expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(128);
});
