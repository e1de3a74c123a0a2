import { buildImage, sha256 } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { OCI_INDEX, OCI_MANIFEST } from '../model/media-type.ts';
import type { OciError } from '../oci-error.ts';
import {
  blobDescriptor,
  type Handler,
  json,
  repositoryAt,
  startServer,
} from './http/server.contract.ts';

const entry = (text: string) => ({ ...blobDescriptor(Buffer.from(text)), mediaType: OCI_MANIFEST });
const list = (manifests: unknown) => ({ schemaVersion: 2, mediaType: OCI_INDEX, manifests });
const AS_LIST = { 'content-type': OCI_INDEX };

/** What a repository lists, and the codes of what it could not list. */
async function listed(handler: Handler) {
  const { digest } = await buildImage({ layers: [{ a: 'b' }] });
  const server = await startServer(handler);
  const faults: OciError[] = [];
  const found = await repositoryAt(server).referrers(digest, {
    incomplete: (fault) => faults.push(fault),
  });
  return { found: found.map((each) => each.digest), codes: faults.map(({ code }) => code) };
}

/** The API answers as given; the referrers tag has one entry, or there is none. */
const answering =
  (status: number, body: unknown, tag?: unknown): Handler =>
  ({ url }, response) => {
    if (url.includes('/referrers/')) json(response, status, body);
    else if (tag) json(response, 200, tag, AS_LIST);
    else json(response, 404, { errors: [{ code: 'MANIFEST_UNKNOWN' }] });
  };

describe('a registry without the referrers API', () => {
  it.each([200, 400, 404, 405, 406, 410, 415, 501])('that answers %i has none', async (status) => {
    expect(await listed(answering(status, {}))).toEqual({ found: [], codes: [] });
  });

  it.each([
    [401, 'REGISTRY_UNAUTHENTICATED'],
    [403, 'REGISTRY_FORBIDDEN'],
    [412, 'REGISTRY_REFUSED'],
  ])('that answers %i has none that we may list', async (status, code) => {
    expect(await listed(answering(status, {}))).toEqual({ found: [], codes: [code] });
  });

  it.each([401, 403, 404, 406, 412])('that answers %i is read by its tag', async (status) => {
    const seen = await listed(answering(status, {}, list([entry('one')])));
    expect(seen).toEqual({ found: [entry('one').digest], codes: [] });
  });

  it('has none where the tag is an image of several platforms', async () => {
    const child = { ...entry('one'), platform: { os: 'linux', architecture: 'amd64' } };
    expect(await listed(answering(404, {}, list([child])))).toEqual({ found: [], codes: [] });
  });
});

describe('the referrers tag', () => {
  it('of a registry that takes it for the digest is the image itself, which is no list', async () => {
    const bytes = Buffer.from(JSON.stringify(list([entry('child')])));
    const digest = sha256(bytes);
    const server = await startServer(({ url }, response) => {
      if (url.includes('/referrers/')) json(response, 404, {});
      else response.writeHead(200, AS_LIST).end(bytes);
    });
    expect(await repositoryAt(server).referrers(digest)).toEqual([]);
  });

  it('is read where the API leads to a page of another kind', async () => {
    const seen = await listed(({ url }, response) => {
      if (url.includes('/referrers/')) response.writeHead(303, { location: '/page' }).end();
      else if (url === '/page') response.writeHead(404).end('not here');
      else json(response, 200, list([entry('one')]), AS_LIST);
    });
    expect(seen).toEqual({ found: [entry('one').digest], codes: [] });
  });
});

describe('a list of referrers', () => {
  const answer = (body: unknown) => listed((_, response) => json(response, 200, body, AS_LIST));

  it.each<[string, unknown]>([
    ['null', null],
    ['absent', undefined],
    ['empty', []],
  ])('may be %s', async (_, manifests) => {
    expect(await answer(list(manifests))).toEqual({ found: [], codes: [] });
  });

  it.each<[string, unknown]>([
    ['of another digest', { ...entry('x'), digest: 'md5:abc' }],
    ['without a size', { ...entry('x'), size: undefined }],
    ['of a negative size', { ...entry('x'), size: -1 }],
    ['that is text', 'sha256:abc'],
    ['that is null', null],
    ['without a media type', { ...entry('x'), mediaType: '' }],
  ])('keeps its other entries beside one %s', async (_, odd) => {
    const { found, codes } = await answer(list([entry('one'), odd, entry('two')]));
    expect(found).toEqual([entry('one').digest, entry('two').digest]);
    expect(codes).toEqual(['MANIFEST_INVALID']);
  });

  it('may have more entries than a manifest may have children', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => entry(`n${at}`));
    expect(await answer(list(many))).toMatchObject({ found: { length: 1_100 }, codes: [] });
  });

  it.each<[string, unknown]>([
    ['text', 'no list'],
    ['of another form', { manifests: 'none' }],
  ])('that is %s is left', async (_, body) => {
    expect(await answer(body)).toEqual({ found: [], codes: ['REFERRERS_LIST_INVALID'] });
  });

  it('keeps what it read before a page that is refused', async () => {
    const seen = await listed(({ url }, response) => {
      if (url.includes('page=2')) json(response, 403, {});
      else
        json(response, 200, list([entry('one')]), {
          ...AS_LIST,
          link: `<${url}?page=2>; rel="next"`,
        });
    });
    expect(seen).toEqual({ found: [entry('one').digest], codes: ['REGISTRY_FORBIDDEN'] });
  });

  it('continues at this registry where the link names another host', async () => {
    const seen = await listed(({ url }, response) => {
      const isLast = url.includes('page=2');
      const link = { link: `<http://inner.invalid:8080${url}?page=2>; rel="next"` };
      json(response, 200, list([entry(isLast ? 'two' : 'one')]), {
        ...AS_LIST,
        ...(!isLast && link),
      });
    });
    expect(seen.found).toEqual([entry('one').digest, entry('two').digest]);
    expect(seen.codes).toEqual([]);
  });

  it.each([
    ['without the first part of the name', '/v2/app/referrers/other'],
    ['below another path', '/repository/docker-proxy/v2/team/app/referrers/other'],
  ])('continues at this list where the link is %s', async (_, path) => {
    const seen = await listed(({ url }, response) => {
      const isLast = url.includes('/v2/team/app/') && url.includes('page=2');
      json(response, 200, list([entry(isLast ? 'two' : 'one')]), {
        ...AS_LIST,
        ...(!isLast && { link: `<${path}?page=2>; rel="next"` }),
      });
    });
    expect(seen).toEqual({ found: [entry('one').digest, entry('two').digest], codes: [] });
  });

  it('ends where the link leads outside of the API, or back', async () => {
    const following = (link: (url: string) => string) =>
      listed(({ url }, response) =>
        json(response, 200, list([entry('one')]), {
          ...AS_LIST,
          link: `<${link(url)}>; rel="next"`,
        }),
      );
    expect((await following(() => '/admin')).codes).toEqual(['REGISTRY_ANSWER_INVALID']);
    expect((await following((url) => url)).codes).toEqual([]);
  });
});
