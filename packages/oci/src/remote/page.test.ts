import { expect, it } from 'vitest';
import { json, repositoryAt, startServer } from './http/server.contract.ts';
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
  ['of open brackets alone', '<'.repeat(8192), undefined],
  ['after open brackets', `${'<'.repeat(8)}/v2/a>; rel="next"`, 'http://registry.test/v2/a'],
])('a link %s', (_, header, next) => {
  expect(nextLink(header, BASE)?.href).toBe(next);
});

it('there is no link without the header', () => {
  expect(nextLink(undefined, BASE)).toBeUndefined();
});

it.each([
  ['of the repository', '/v2/team/app/tags/list?n=2&last=b'],
  ['of another host', 'http://internal.example/v2/team/app/tags/list?n=2&last=b'],
  ['relative to the list', 'list?n=2&last=b'],
  ['without the first part of the name', '/v2/app/tags/list?n=2&last=b'],
  ['below another path', '/repository/docker-proxy/v2/team/app/tags/list?n=2&last=b'],
  ['with a query alone', '?n=2&last=b'],
])('a list goes on at a link %s', async (_, link) => {
  const server = await startServer(({ url }, response) => {
    if (url === '/v2/team/app/tags/list?n=2&last=b') json(response, 200, { tags: ['c'] });
    else if (url.startsWith('/v2/team/app/tags/list?n=1000'))
      json(response, 200, { tags: ['a', 'b'] }, { link: `<${link}>; rel="next"` });
    else json(response, 404, { errors: [{ code: 'NAME_UNKNOWN' }] });
  });
  expect(await repositoryAt(server).allTags()).toEqual(['a', 'b', 'c']);
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => `t${`${n}`.padStart(5, '0')}`);

/** The pages that a registry without links answers with. */
type Paging = (tags: string[], limit: number, last: string | null) => string[];

const after: Paging = (tags, limit, last) =>
  tags.filter((tag) => last === null || tag > last).slice(0, limit);
/** go-containerregistry's registry begins again where no tag comes after `last`. */
const again: Paging = (tags, limit, last) => {
  const rest = after(tags, limit, last);
  return rest.length > 0 ? rest : tags.slice(0, limit);
};

it.each<[string, number, Paging, number]>([
  ['of less than a page is asked for once', 3, after, 1],
  ['of some pages is read to its end', 2_500, after, 3],
  ['that ends with a full page is read to its end', 2_000, after, 3],
  ['that begins again at its end is read once', 2_000, again, 3],
  ['of a registry that ignores `last` is its first page', 2_500, (t, n) => t.slice(0, n), 2],
  ['of a registry that ignores both is what it sends', 2_500, (tags) => tags, 1],
  [
    'in another order is its first page',
    2_500,
    (tags, n, last) => [...tags].reverse().slice(last === null ? 0 : n, last === null ? n : 2 * n),
    2,
  ],
])('a list without links %s', async (_, count, paging, requests) => {
  const tags = numbered(count);
  const server = await startServer(({ url }, response) => {
    const { searchParams } = new URL(url, 'http://any.invalid');
    const page = paging(tags, Number(searchParams.get('n')), searchParams.get('last'));
    json(response, 200, { name: 'x', tags: page });
  });
  const read = await repositoryAt(server).allTags();
  expect(new Set(read).size).toBe(read.length);
  const whole = paging === after || paging === again;
  expect(read.toSorted()).toEqual(whole ? tags : paging(tags, 1_000, null).toSorted());
  expect(server.requests).toHaveLength(requests);
});

/** What a registry answers with for a list, by the query of the request, with its link. */
type Linked = (query: URLSearchParams) => { tags: string[]; link?: string };

const page = (number: number) => [`${number}a`, `${number}b`];
const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 0);

it.each<[string, Linked, string[], number]>([
  ['lead to themselves', () => ({ tags: page(0), link: '?page=1' }), page(0), 2],
  [
    'lead back to the first page',
    (query) => ({ tags: page(pageOf(query)), link: `?page=${(pageOf(query) + 1) % 3}` }),
    [...page(0), ...page(1), ...page(2)],
    4,
  ],
  [
    'lead back to the middle',
    (query) => ({
      tags: page(pageOf(query)),
      link: `?page=${pageOf(query) === 2 ? 1 : pageOf(query) + 1}`,
    }),
    [...page(0), ...page(1), ...page(2)],
    4,
  ],
  [
    'never end, for the same page',
    (query) => ({ tags: page(0), link: `?page=${pageOf(query) + 1}` }),
    page(0),
    2,
  ],
  [
    'drop the limit of a registry that ignores `last`',
    (query) => ({
      tags: query.get('n') === '1000' ? [...page(0), ...page(1)] : page(0),
      link: `?last=${query.get('n') === '1000' ? '1b' : '0b'}`,
    }),
    [...page(0), ...page(1)],
    3,
  ],
  [
    'lead over pages without a name',
    (query) => ({
      tags: pageOf(query) % 50 === 0 ? page(pageOf(query)) : [],
      ...(pageOf(query) < 100 && { link: `?page=${pageOf(query) + 1}` }),
    }),
    [...page(0), ...page(50), ...page(100)],
    101,
  ],
])('a list whose links %s is read once', async (_, answer, read, requests) => {
  const server = await startServer(({ url }, response) => {
    const { tags, link } = answer(new URL(url, 'http://any.invalid').searchParams);
    json(response, 200, { tags }, link === undefined ? {} : { link: `<${link}>; rel="next"` });
  });
  expect(await repositoryAt(server).allTags()).toEqual(read);
  expect(server.requests).toHaveLength(requests);
});

it('a list of empty pages without an end is refused', async () => {
  const server = await startServer(({ url }, response) => {
    const at = pageOf(new URL(url, 'http://any.invalid').searchParams);
    json(response, 200, { tags: [] }, { link: `<?page=${at + 1}>; rel="next"` });
  });
  await expect(repositoryAt(server).allTags()).rejects.toMatchObject({
    code: 'REGISTRY_ANSWER_TOO_LARGE',
  });
  expect(server.requests).toHaveLength(100);
});
