import { isAppError } from '@portcullis/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ociError } from './errors.ts';
import { parse, parsePath } from './parse.ts';
import { formatQuery } from './query.ts';
import { pathOf } from './routes.ts';

const HEX = 'a'.repeat(64);
const DIGEST = `sha256:${HEX}`;

describe('what is read', () => {
  it.each([
    ['GET', '/v2', { kind: 'base' }],
    ['GET', '/v2/', { kind: 'base' }],
    ['GET', '/v2/_catalog?n=3', { kind: 'catalog' }],
    ['GET', '/v2/token?scope=repository:a:pull', { kind: 'token' }],
    ['HEAD', '/v2/a/manifests/latest', { kind: 'manifest', repository: 'a', reference: 'latest' }],
    [
      'PUT',
      `/v2/team/a/manifests/${DIGEST}`,
      { kind: 'manifest', repository: 'team/a', reference: DIGEST },
    ],
    ['GET', `/v2/team/a/blobs/${DIGEST}`, { kind: 'blob', repository: 'team/a', digest: DIGEST }],
    ['POST', '/v2/team/a/blobs/uploads/', { kind: 'upload-start', repository: 'team/a' }],
    ['POST', '/v2/team/a/blobs/uploads', { kind: 'upload-start', repository: 'team/a' }],
    ['PATCH', '/v2/a/blobs/uploads/1f-2', { kind: 'upload', repository: 'a', uuid: '1f-2' }],
    ['GET', '/v2/a/tags/list?n=1&last=b', { kind: 'tags', repository: 'a' }],
    ['GET', `/v2/a/referrers/${DIGEST}`, { kind: 'referrers', repository: 'a', digest: DIGEST }],
    // The words of the routes are legal repository names.
    [
      'GET',
      '/v2/a/manifests/b/manifests/c',
      { kind: 'manifest', repository: 'a/manifests/b', reference: 'c' },
    ],
    [
      'GET',
      '/v2/blobs/uploads/manifests/c',
      { kind: 'manifest', repository: 'blobs/uploads', reference: 'c' },
    ],
    ['GET', '/v2/token/manifests/c', { kind: 'manifest', repository: 'token', reference: 'c' }],
  ])('%s %s', (method, url, route) => {
    expect(parse(method, url).route).toEqual(route);
  });
});

describe('what is refused, in the OCI form', () => {
  it.each([
    ['GET', '/v2/a/../b/manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '/v2/./a/manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '/v2/a//manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '/v2//a/manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '//v2/a/manifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/V2/a/manifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/v2/A/manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '/v2/a%2fb/manifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/v2/a%2e%2e/manifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/v2/a/%6danifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/v2/a\\b/manifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/v2/a;b/manifests/latest', 404, 'NAME_INVALID'],
    ['GET', '/v2/a/manifests/latest/', 404, 'NAME_INVALID'],
    ['GET', '/v2/__root__/a/manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '/v2/manifests/latest', 400, 'NAME_INVALID'],
    ['GET', '/v2/_catalog/', 404, 'NAME_INVALID'],
    ['GET', `/v2/${'a'.repeat(256)}/manifests/latest`, 400, 'NAME_INVALID'],
    ['GET', `/v2/${'a'.repeat(300)}/tags/list`, 400, 'NAME_INVALID'],
    ['GET', `/v2/${'a'.repeat(3000)}/tags/list`, 400, 'NAME_INVALID'],
    ['GET', '/v2/a/manifests/..', 404, 'MANIFEST_UNKNOWN'],
    ['HEAD', '/v2/a/manifests/.x', 404, 'MANIFEST_UNKNOWN'],
    ['PUT', '/v2/a/manifests/.x', 400, 'TAG_INVALID'],
    ['GET', '/v2/a/referrers/sha256:abc', 400, 'DIGEST_INVALID'],
    ['GET', '/v2/a/manifests/sha256:abc', 400, 'DIGEST_INVALID'],
    ['GET', `/v2/a/blobs/sha256:${HEX.toUpperCase()}`, 400, 'DIGEST_INVALID'],
    ['GET', '/v2/a/blobs/uploads/..', 404, 'BLOB_UPLOAD_UNKNOWN'],
    ['POST', `/v2/a/blobs/uploads/?mount=${DIGEST}&from=../b`, 400, 'NAME_INVALID'],
    ['POST', `/v2/a/blobs/uploads/?mount=${DIGEST}&from=b&from=c`, 400, 'NAME_INVALID'],
    ['GET', '/v2/_catalog?n=-1', 400, 'PAGINATION_NUMBER_INVALID'],
    ['POST', '/v2/a/manifests/latest', 405, 'UNSUPPORTED'],
    ['OPTIONS', '/v2/', 405, 'UNSUPPORTED'],
    ['POST', '/v2/token', 405, 'UNSUPPORTED'],
  ])('%s %s is %i %s', (method, url, status, code) => {
    const error = ociError(thrown(() => parse(method, url)));
    expect([error.status, error.body.errors[0]?.code]).toEqual([status, code]);
  });
});

it('leaves out parameters it does not know', () => {
  const { query } = parse('GET', '/v2/a/tags/list?n=1&ns=docker.io&secret=x');
  expect(formatQuery(query)).toBe('?n=1');
});

const segment = fc.stringMatching(/^[a-z0-9]{1,6}(?:[._-][a-z0-9]{1,4})?$/);
const awkward = fc.constantFrom(
  'manifests',
  'blobs',
  'uploads',
  'tags',
  'list',
  'referrers',
  'token',
  'v2',
  '..',
);
const noise = fc.constantFrom(
  '',
  '.',
  '%2f',
  '%2e',
  'A',
  '?',
  '#',
  '\\',
  ':',
  DIGEST,
  '\u0000',
  'é',
  '__root__',
);
const anyPath = fc
  .array(fc.oneof(segment, awkward, noise), { maxLength: 8 })
  .map((parts) => `/v2/${parts.join('/')}`);

describe('whatever is accepted', () => {
  it('rebuilds to one path, which parses to the same route', () => {
    fc.assert(
      fc.property(fc.oneof(anyPath, fc.webUrl(), fc.string()), (path) => {
        const route = accepted(path);
        if (!route) return;
        const rebuilt = pathOf(route);
        expect(parsePath(rebuilt)).toEqual(route);
        // A URL parser leaves the path unchanged.
        expect(new URL(`http://registry.test${rebuilt}`).pathname).toBe(rebuilt);
        expect(decodeURIComponent(rebuilt)).toBe(rebuilt);
      }),
      { numRuns: 3000 },
    );
  });

  it('is forwarded under the parsed repository, as the registry itself parses it', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const route = accepted(path);
        if (!route || !('repository' in route)) return;
        expect(readByRegistry(pathOf(route))).toEqual([route.repository]);
      }),
      { numRuns: 3000 },
    );
  });
});

/**
 * The routes of CNCF distribution (registry/api/v2/descriptors.go): all repositories that any of
 * them would read.
 */
function readByRegistry(path: string): string[] {
  const name = '([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)';
  const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*[:][0-9a-fA-F]{32,}';
  const patterns = [
    `/manifests/(?:[\\w][\\w.-]{0,127}|${digest})`,
    '/tags/list',
    `/blobs/${digest}`,
    '/blobs/uploads/',
    '/blobs/uploads/[a-zA-Z0-9-_.=]+',
    `/referrers/${digest}`,
  ];
  const read = patterns.map((tail) => new RegExp(`^/v2/${name}${tail}$`).exec(path)?.[1]);
  return [...new Set(read.filter((repository) => repository !== undefined))];
}

function accepted(path: string) {
  try {
    return parsePath(path);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
