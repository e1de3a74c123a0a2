import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DOCKER_HUB_HOST,
  dockerHubRepository,
  formatHost,
  formatImage,
  isRepository,
  isTag,
  parseHost,
  parseImage,
  parseImageName,
  parseReference,
  parseRepository,
  parseTag,
  referenceOf,
  registryHost,
} from './reference.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const alphanumeric = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const separator = fc.constantFrom('.', '_', '__', '-', '---');
const component = fc
  .tuple(alphanumeric, fc.array(fc.tuple(separator, alphanumeric), { maxLength: 3 }))
  .map(([first, rest]) => first + rest.flat().join(''));
const repository = fc
  .array(component, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));
const tag = fc.stringMatching(/^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/);

describe('a repository', () => {
  it.each([
    ['of one segment', 'nginx'],
    ['of many segments', 'a/b/c/d/e'],
    ['with single separators', 'a.b/c_d/e__f/g-h/i----j'],
    ['of 255 characters', 'a'.repeat(255)],
  ])('%s is accepted', (_, name) => expect(parseRepository(name)).toBe(name));

  it.each([
    ['that is empty', ''],
    ['in upper case', 'Nginx'],
    ['with a dot segment', 'a/../b'],
    ['with a single dot', './a'],
    ['with an empty segment', 'a//b'],
    ['with a leading slash', '/a'],
    ['with a trailing slash', 'a/'],
    ['with two dots', 'a..b'],
    ['with three underscores', 'a___b'],
    ['that ends with a separator', 'a-'],
    ['that begins with an underscore', '_a'],
    ['with an encoded slash', 'a%2fb'],
    ['with a line feed at its end', 'a\n'],
    ['with a colon', 'a:b'],
    ['with letters beyond ASCII', 'ａ'],
    ['of 256 characters', 'a'.repeat(256)],
  ])('%s is refused', (_, name) => expect(() => parseRepository(name)).toThrow(/repository/));

  it('made by the grammar is accepted', () => {
    fc.assert(fc.property(repository, (name) => isRepository(name)));
  });

  it('is judged in no time, however it is made', () => {
    const hostile = fc.string({ unit: fc.constantFrom('a', '-', '_', '.', '/'), maxLength: 4000 });
    fc.assert(fc.property(hostile, (name) => typeof isRepository(name) === 'boolean'));
  });
});

describe('a tag', () => {
  it.each(['v1', '_', 'A.b-c_d', 'x'.repeat(128)])('%s is accepted', (text) =>
    expect(parseTag(text)).toBe(text),
  );
  it.each(['', '.a', '-a', 'a b', 'a/b', 'a:b', 'x'.repeat(129), 'a\n'])(
    '%j is refused',
    (text) => {
      expect(() => parseTag(text)).toThrow(/tag/);
    },
  );
});

describe('a reference', () => {
  it('is a tag or a digest', () => {
    expect(parseReference('v1')).toBe('v1');
    expect(parseReference(DIGEST)).toBe(DIGEST);
    expect(() => parseReference('sha256:abc')).toThrow(/digest/);
    expect(() => parseReference('a/b')).toThrow(/tag/);
  });
});

describe('a host', () => {
  it.each([
    ['a name', 'ghcr.io', 'ghcr.io'],
    ['a name and a port', 'localhost:5000', 'localhost:5000'],
    ['upper case', 'GHCR.IO', 'ghcr.io'],
    ['a trailing dot', 'ghcr.io.:443', 'ghcr.io:443'],
    ['an IPv4 address', '127.0.0.1:5000', '127.0.0.1:5000'],
    ['a short IPv4 address', '127.1', '127.0.0.1'],
    ['an IPv4 address in hexadecimal', '0x7f.1', '127.0.0.1'],
    ['an IPv4 address as one number', '2130706433', '127.0.0.1'],
    ['an IPv6 address', '[0:0:0:0:0:0:0:1]:5000', '[::1]:5000'],
    ['an IPv4 address mapped to IPv6', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ])('that is %s is written in one way', (_, text, written) =>
    expect(formatHost(parseHost(text))).toBe(written),
  );

  it.each([
    ['a scheme', 'https://ghcr.io'],
    ['a path', 'ghcr.io/a'],
    ['a user', 'me@ghcr.io'],
    ['a blank', 'ghcr.io '],
    ['a line feed', 'ghcr.io\n'],
    ['an underscore', 'a_b.io'],
    ['port 0', 'a:0'],
    ['port 65536', 'a:65536'],
    ['no port after the colon', 'a:'],
    ['IPv6 without brackets', '::1'],
    ['a zone', '[fe80::1%25eth0]'],
    ['nothing', ''],
    ['an address that is none', '1.2.3.400'],
    ['an encoded dot', 'a%2eb'],
  ])('with %s is refused', (_, text) => expect(() => parseHost(text)).toThrow(/host/));

  it('once parsed is parsed to itself', () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
    fc.assert(
      fc.property(host, port, (hostname, number) => {
        const written = formatHost(
          parseHost(number === undefined ? hostname : `${hostname}:${number}`),
        );
        expect(formatHost(parseHost(written))).toBe(written);
      }),
    );
  });

  it('of any text is parsed or refused with HOST_INVALID, nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseHost(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'HOST_INVALID' });
        }
      }),
    );
  });
});

describe('Docker Hub', () => {
  it.each(['docker.io', 'index.docker.io', 'Docker.IO', 'docker.io:443', 'registry-1.docker.io'])(
    'is %s',
    (text) => {
      expect(registryHost(text)).toBe(DOCKER_HUB_HOST);
    },
  );
  it.each(['docker.io:5000', 'docker.io.evil.com', 'ghcr.io'])('is not %s', (text) => {
    expect(registryHost(text)).toBe(text);
  });
  it('keeps its official images under library', () => {
    expect(dockerHubRepository('nginx')).toBe('library/nginx');
    expect(dockerHubRepository('bitnami/nginx')).toBe('bitnami/nginx');
  });
});

describe('an image', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  it.each([
    ['nginx', 'registry-1.docker.io', 'library/nginx', 'latest'],
    ['docker.io/grafana/grafana:12', 'registry-1.docker.io', 'grafana/grafana', '12'],
    [`ghcr.io/a/b:1@${digest}`, 'ghcr.io', 'a/b', digest],
    ['localhost/app', 'localhost', 'app', 'latest'],
    ['registry:5000/app:1', 'registry:5000', 'app', '1'],
    ['team/app:1', 'registry-1.docker.io', 'team/app', '1'],
  ])('%s is parsed as Docker does', (text, host, repository, reference) => {
    expect(parseImage(text)).toEqual({ host, repository, reference });
  });

  it.each([
    ['', 'NAME_INVALID'],
    ['a b/c', 'NAME_INVALID'],
    ['bad_host.io:x/app', 'HOST_INVALID'],
  ])('%j is refused with %s', (text, code) =>
    expect(() => parseImage(text)).toThrow(expect.objectContaining({ code })),
  );
});

describe('an image name', () => {
  it('is a repository with a tag, a digest, both or neither', () => {
    expect(parseImageName('a/b')).toEqual({ repository: 'a/b', tag: undefined, digest: undefined });
    expect(parseImageName(`a/b:v1@${DIGEST}`)).toEqual({
      repository: 'a/b',
      tag: 'v1',
      digest: DIGEST,
    });
    expect(referenceOf(parseImageName('a'))).toBe('latest');
    expect(referenceOf(parseImageName(`a:v1@${DIGEST}`))).toBe(DIGEST);
  });
  it.each([`a@${DIGEST}@${DIGEST}`, 'a:b:c', 'a@v1', ':v1', '', 'a:'])('%j is refused', (text) => {
    expect(() => parseImageName(text)).toThrow();
  });
  it('that was written is read as what it was', () => {
    fc.assert(
      fc.property(repository, tag, (name, reference) => {
        expect(isTag(reference)).toBe(true);
        expect(parseImageName(formatImage(name, reference))).toMatchObject({
          repository: name,
          tag: reference,
        });
      }),
    );
    expect(formatImage('a', DIGEST)).toBe(`a@${DIGEST}`);
  });
});
