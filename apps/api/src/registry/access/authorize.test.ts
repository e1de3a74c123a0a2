import type { FolderGrant, Principal } from '@portcullis/domain';
import { describe, expect, it } from 'vitest';
import { parse } from '../parse.ts';
import { formatQuery } from '../query.ts';
import { operationOf } from '../routes.ts';
import {
  type AccessContext,
  grantedOf,
  isCovered,
  isRepositoryRoute,
  mayAsk,
  mountable,
  scopeOf,
} from './authorize.ts';
import { parseScopes } from './scope.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const folders = new Set(['team', 'drop', 'secret']);

function access(
  isAdmin: boolean,
  grants: Pick<FolderGrant, 'folder' | 'canPull' | 'canPush'>[],
): AccessContext {
  const full = grants.map((grant) => ({ ...grant, canPullExternal: true, canPushExternal: true }));
  const principal: Principal = {
    id: 'u',
    username: 'u',
    isAdmin,
    canBypassVulnBlock: false,
    auth: 'basic',
    grants: full,
  };
  return { principal, folders, mirrors: new Map() };
}

const ungranted = access(false, []);
const reader = access(false, [{ folder: 'team', canPull: true, canPush: false }]);
const dropper = access(false, [{ folder: 'drop', canPull: false, canPush: true }]);
const rooted = access(false, [{ folder: '__root__', canPull: true, canPush: false }]);
const admin = access(true, []);

describe('who may do what', () => {
  it.each([
    ['an account without grants', ungranted, 'GET', '/v2/team/a/manifests/1', false],
    ['a reader', reader, 'GET', '/v2/team/a/manifests/1', true],
    ['a reader', reader, 'GET', `/v2/team/a/blobs/${DIGEST}`, true],
    ['a reader', reader, 'GET', '/v2/team/a/tags/list', true],
    ['a reader', reader, 'GET', `/v2/team/a/referrers/${DIGEST}`, true],
    ['a reader', reader, 'PUT', '/v2/team/a/manifests/1', false],
    ['a reader', reader, 'DELETE', '/v2/team/a/manifests/1', false],
    ['a reader', reader, 'DELETE', `/v2/team/a/blobs/${DIGEST}`, false],
    ['a reader', reader, 'POST', '/v2/team/a/blobs/uploads/', false],
    ['a reader', reader, 'GET', '/v2/team/a/blobs/uploads/u1', false],
    ['a reader of a folder', reader, 'GET', '/v2/team/manifests/1', false],
    ['a reader of the root', rooted, 'GET', '/v2/team/manifests/1', true],
    ['a reader of the root', rooted, 'GET', '/v2/unknown/a/manifests/1', true],
    ['a reader of the root', rooted, 'GET', '/v2/secret/a/manifests/1', false],
    ['an account with push only', dropper, 'PUT', '/v2/drop/a/manifests/1', true],
    ['an account with push only', dropper, 'DELETE', '/v2/drop/a/manifests/1', true],
    ['an account with push only', dropper, 'HEAD', `/v2/drop/a/blobs/${DIGEST}`, true],
    ['an account with push only', dropper, 'GET', `/v2/drop/a/blobs/${DIGEST}`, false],
    ['an account with push only', dropper, 'HEAD', '/v2/team/a/manifests/1', false],
    ['an admin', admin, 'DELETE', '/v2/secret/a/manifests/1', true],
  ])('%s: %j %s %s', (_, who, method, url, allowed) => {
    const v2Request = parse(method, url);
    const { route } = v2Request;
    expect(isRepositoryRoute(route) && mayAsk(who, v2Request, route).allowed).toBe(allowed);
  });
});

it.each([
  ['GET', 'manifest', 'pull'],
  ['PUT', 'manifest', 'push'],
  ['DELETE', 'manifest', 'delete'],
  ['GET', 'upload', 'push'],
  ['DELETE', 'upload', 'push'],
] as const)('%s of a %s is a %s', (method, kind, action) => {
  expect(operationOf(method, { kind }).right).toBe(action);
});

it.each([
  ['may read the source', reader, `?mount=${DIGEST}&from=team/b`, true],
  ['may not read the source', reader, `?mount=${DIGEST}&from=secret/b`, false],
  ['may only push to the source', dropper, `?mount=${DIGEST}&from=drop/b`, false],
  ['names no source', admin, `?mount=${DIGEST}`, false],
  ['names no blob', admin, '?from=team/b', false],
])('a mount by an account that %s', (_, who, query, mounts) => {
  const v2Request = parse('POST', `/v2/team/a/blobs/uploads/${query}`);
  expect(formatQuery(mountable(who, null, v2Request.query)) !== '').toBe(mounts);
});

it.each([
  ['covers both', 'repository:team/a:pull,push repository:team/b:pull', true],
  ['covers the target alone', 'repository:team/a:pull,push', false],
  ['lets push to the source', 'repository:team/a:pull,push repository:team/b:push', false],
])('a mount with a token that %s', (_, scope, mounts) => {
  const v2Request = parse('POST', `/v2/team/a/blobs/uploads/?mount=${DIGEST}&from=team/b`);
  expect(formatQuery(mountable(reader, parseScopes([scope]), v2Request.query)) !== '').toBe(mounts);
});

it.each([
  ['GET', '/v2/a/manifests/1', 'repository:a:pull'],
  ['PUT', '/v2/a/manifests/1', 'repository:a:pull,push'],
  ['DELETE', '/v2/a/manifests/1', 'repository:a:delete'],
  [
    'POST',
    `/v2/a/blobs/uploads/?mount=${DIGEST}&from=b`,
    'repository:a:pull,push repository:b:pull',
  ],
  ['GET', '/v2/_catalog', 'registry:catalog:*'],
  ['GET', '/v2/', undefined],
])('%s %s asks for the scope %s', (method, url, scope) => {
  expect(scopeOf(parse(method, url))).toBe(scope);
});

it.each([
  ['nothing', '', []],
  ['pull', 'repository:team/a:pull', ['read', 'head']],
  ['push', 'repository:team/a:push', ['head', 'write', 'upload']],
  ['delete', 'repository:team/a:delete', ['delete']],
  ['everything', 'repository:team/a:*', ['read', 'head', 'write', 'upload', 'delete']],
  ['another repository', 'repository:team/b:*', []],
  ['a repository of a longer name', 'repository:team/a/b:*', []],
  ['the catalog', 'registry:catalog:*', []],
])('G3: a token for %s covers %j of a repository, for any account', (_, scope, expected) => {
  const requests = {
    read: parse('GET', '/v2/team/a/manifests/1'),
    head: parse('HEAD', `/v2/team/a/blobs/${DIGEST}`),
    write: parse('PUT', '/v2/team/a/manifests/1'),
    upload: parse('POST', '/v2/team/a/blobs/uploads/'),
    delete: parse('DELETE', `/v2/team/a/manifests/${DIGEST}`),
  };
  const covered = Object.entries(requests).filter(
    ([, { method, route }]) =>
      isRepositoryRoute(route) && isCovered(parseScopes([scope]), method, route),
  );
  expect(covered.map(([name]) => name)).toEqual(expected);
});

it('scopes are granted as far as they are allowed, and the catalog to every account', () => {
  const requested = parseScopes([
    'repository:team/a:pull,push repository:secret/a:pull registry:catalog:*',
  ]);
  expect(grantedOf(reader, requested)).toEqual([
    { type: 'repository', name: 'team/a', actions: ['pull'] },
    { type: 'registry', name: 'catalog', actions: ['*'] },
  ]);
});
