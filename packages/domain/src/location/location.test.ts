import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { externalRepository, isOwnEndpoint, localRepository, normalizeHost } from './location.ts';

it.each([
  ['app', undefined, 'app'],
  ['app', '__root__', 'app'],
  ['app', '', 'app'],
  ['app', 'team', 'team/app'],
  ['team/app', 'team', 'team/app'],
  ['teams/app', 'team', 'team/teams/app'],
  ['team', 'team', 'team/team'],
])('a local push of %s to folder %s writes %s', (image, folder, repository) => {
  expect(localRepository(image, folder)).toBe(repository);
});

it.each([
  ['library/nginx', 'acme', 'acme/nginx'],
  ['a/b/c', 'acme', 'acme/b/c'],
  ['nginx', 'acme', 'nginx'],
  ['library/nginx', null, 'library/nginx'],
  ['library/nginx', 'AWS', 'library/nginx'],
  ['library/nginx', '_json_key', 'library/nginx'],
  ['library/nginx', 'robot$x', 'library/nginx'],
  ['my-project/app', 'oauth2accesstoken', 'my-project/app'],
  ['my-project/app', '00000000-0000-0000-0000-000000000000', 'my-project/app'],
  ['my-project/app', 'iamapikey', 'my-project/app'],
  ['my-project/app', 'nologin', 'my-project/app'],
  ['my-project/app', 'gitlab-ci-token', 'my-project/app'],
  ['library/nginx', '<token>', 'library/nginx'],
  ['library/nginx', '../x', 'library/nginx'],
])('an external push of %s as %s writes %s', (image, username, repository) => {
  expect(externalRepository(image, username)).toBe(repository);
});

it.each([
  ['library/nginx', 'my-project/images', 'my-project/images/nginx'],
  ['nginx', 'my-project/images', 'my-project/images/nginx'],
  ['a/b/c', 'team', 'team/b/c'],
  ['team/app', 'team', 'team/app'],
  ['my-project/images/app', 'my-project/images', 'my-project/images/app'],
  ['a/b/c', '/', 'a/b/c'],
  ['nginx', '/', 'nginx'],
])(
  'an external push of %s to a registry with the namespace %s writes %s',
  (image, namespace, repository) => {
    expect(externalRepository(image, 'acme', namespace)).toBe(repository);
  },
);

it('adding a folder twice equals adding it once', () => {
  const segment = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), segment, (path, folder) => {
      const once = localRepository(path.join('/'), folder);
      expect(localRepository(once, folder)).toBe(once);
      expect(once.startsWith(`${folder}/`)).toBe(true);
    }),
  );
});

describe('own endpoints', () => {
  const own = ['registry.example.com', '127.0.0.1:5000', '10.0.0.5:8080'].map((text) => {
    const endpoint = normalizeHost(text);
    if (!endpoint) throw new Error(text);
    return endpoint;
  });
  it.each([
    ['registry.example.com', true],
    ['REGISTRY.example.com.', true],
    ['registry.example.com:443', true],
    ['registry.example.com:80', true],
    ['registry.example.com:8443', false],
    ['localhost:5000', true],
    ['127.0.0.1:5000', true],
    ['127.1:5000', true],
    ['127.8.9.10:5000', true],
    ['2130706433:5000', true],
    ['0x7f.0.0.1:5000', true],
    ['0177.0.0.1:5000', true],
    ['[::1]:5000', true],
    ['[::ffff:127.0.0.1]:5000', true],
    ['[::ffff:7f00:1]:5000', true],
    ['[::127.0.0.1]:5000', true],
    ['[0:0:0:0:0:0:0:1]:5000', true],
    ['0.0.0.0:5000', true],
    ['foo.localhost:5000', true],
    ['[::ffff:10.0.0.5]:8080', true],
    ['localhost:5001', false],
    ['example.com:5000', false],
  ])('%s: %s', (host, expected) => {
    const endpoint = normalizeHost(host);
    expect(endpoint !== null && isOwnEndpoint(endpoint, own)).toBe(expected);
  });

  it.each(['', 'a/b', 'user@host', 'http://host', 'a b', 'host:99999', '::1', 'a?b', 'a\\b', '.'])(
    '%j is no host',
    (text) => {
      expect(normalizeHost(text)).toBeNull();
    },
  );
});
