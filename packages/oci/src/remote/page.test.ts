import { expect, it } from 'vitest';
import { nextLink } from './page.ts';

const BASE = new URL('http://registry.test/v2/team/app/tags/list?n=2');
const NEXT = 'http://registry.test/v2/team/app/tags/list?n=2&last=b';

it.each([
  ['as RFC 8288 writes it', '</v2/team/app/tags/list?n=2&last=b>; rel="next"', NEXT],
  ['without quotes', '</v2/team/app/tags/list?n=2&last=b>;rel=next', NEXT],
  ['relative to the list', '<list?n=2&last=b>; rel="next"', NEXT],
  ['after another one', '</v2/>; rel="first", <list?n=2&last=b>; rel="next"', NEXT],
  ['without angle brackets', '/v2/team/app/tags/list?n=2&last=b; rel="next"', NEXT],
  ['without angle brackets and spaces', '/v2/team/app/tags/list?n=2&last=b;rel=next', NEXT],
  ['with another relation', '</v2/>; rel="prev"', undefined],
  ['without angle brackets, with another relation', '/v2/; rel="prev"', undefined],
  ['without a relation', '/v2/team/app/tags/list?n=2&last=b', undefined],
  ['that is empty', '', undefined],
])('a link %s', (_, header, next) => {
  expect(nextLink(header, BASE)?.href).toBe(next);
});

it('there is no link without the header', () => {
  expect(nextLink(undefined, BASE)).toBeUndefined();
});
