import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import type { RepositoryRoute } from '../routes.ts';
import { assertSeal, withSeal } from '../uploads/upload-session.ts';
import { type LocationContext, publicLocation } from './location.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const DIGEST = `sha256:${'a'.repeat(64)}`;
const registryUrl = new URL('http://127.0.0.1:5000');

function contextOf(route: RepositoryRoute): LocationContext {
  return {
    registryUrl,
    route,
    seal: (upload, query) => new Map([...query, ['_owner', upload.uuid]]),
  };
}

const start = contextOf({ kind: 'upload-start', repository: 'team/app' });
const blob = contextOf({
  kind: 'blob',
  repository: 'team/app',
  digest: `sha256:${'a'.repeat(64)}`,
});

it.each([
  [
    'http://127.0.0.1:5000/v2/team/app/blobs/uploads/u1?_state=x%3D',
    202,
    '/v2/team/app/blobs/uploads/u1?_state=x%3D&_owner=u1',
  ],
  ['/v2/team/app/blobs/uploads/u1', 202, '/v2/team/app/blobs/uploads/u1?_owner=u1'],
  // The registry may have another name for itself.
  [`https://registry.example/v2/team/app/blobs/${DIGEST}`, 201, `/v2/team/app/blobs/${DIGEST}`],
  ['/v2/other/app/blobs/uploads/u1', 202, null],
  ['/v2/team/app/../../secret/blobs/uploads/u1', 202, null],
  ['/debug/vars', 202, null],
  ['http://[', 202, null],
  ['https://evil.example/', 307, null],
])('the location %s with %i is shown as %s', (location, status, shown) => {
  expect(publicLocation(location, status, start)).toBe(shown);
});

it('O16: the signed address of a blob in an object store is never shown', () => {
  expect(publicLocation('https://storage.example/blob?signature=x', 307, blob)).toBeNull();
});

it('an upload is bound to one account and repository', () => {
  const upload = { kind: 'upload', repository: 'team/app', uuid: 'u1' } as const;
  const query = withSeal(KEY, 'writer', upload, new Map([['_state', 's']]));
  expect([...assertSeal(KEY, 'writer', upload, query)]).toEqual([['_state', 's']]);
  const unknown = expect.objectContaining({ code: 'BLOB_UPLOAD_UNKNOWN' });
  expect(() => assertSeal(KEY, 'other', upload, query)).toThrow(unknown);
  expect(() => assertSeal(KEY, 'writer', { ...upload, repository: 'team/b' }, query)).toThrow(
    unknown,
  );
  expect(() => assertSeal(KEY, 'writer', { ...upload, uuid: 'u2' }, query)).toThrow(unknown);
  expect(() => assertSeal(KEY, 'writer', upload, new Map())).toThrow(unknown);
});
