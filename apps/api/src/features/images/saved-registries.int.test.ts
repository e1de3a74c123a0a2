/** The operations on images of saved registries, with real registries. */
import { createServer } from 'node:http';
import { contentOf } from '@portcullis/oci';
import { createTransport, openRepository } from '@portcullis/oci/remote';
import { json, pushImage, refusal, startRegistry, type TestRegistry } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf } from '../../api.fixture.ts';
import { listen } from '../../server.ts';
import { realmElsewhere } from '../staging/realm-elsewhere.fixture.ts';
import { remove, type StartedImages, single, startImages } from './images.fixture.ts';

let started: StartedImages;
let api: StartedImages['api'];
let outside: StartedImages['outside'];
let ann: Client;
let bob: Client;

beforeAll(async () => {
  started = await startImages();
  ({ api, outside, ann, bob } = started);
  await started.push('secret/a', '1', await single());
});
afterAll(() => started?.stop());

describe('a saved registry', () => {
  let id: string;
  const saved = () => `/api/images/${id}`;
  beforeAll(async () => {
    const { credentials } = outside;
    const image = await single();
    for (const repository of ['lib/one', 'lib/two', 'other/three'])
      await pushImage(outside.url, repository, 'latest', image, { credentials });
    await pushImage(outside.url, 'lib/one', 'second', image, { credentials });
    const place = { name: 'out', host: outside.host, use_tls: false, ...credentials };
    ({ id } = await json(ann.post('/api/registries', place)));
  });

  it('is listed page by page, without what only an index knows', async () => {
    const first = await json(ann.get(`${saved()}?page_size=2`));
    expect(first).toMatchObject({ total: 3, total_pages: 2 });
    expect(first.items[0]).toEqual({
      name: 'lib/one',
      folder: null,
      tag_count: null,
      size: null,
      updated_at: null,
    });
    expect((await json(ann.get(`${saved()}?page_size=2&page=2`))).items).toMatchObject([
      { name: 'other/three' },
    ]);
    expect((await json(ann.get(`${saved()}?search=LIB`))).total).toBe(2);
  });

  it('has tags, details, new tags and deletions like the built-in one', async () => {
    const [tag] = await json(ann.get(`${saved()}/tags?repository=lib/two`));
    expect(tag).toMatchObject({ tag: 'latest', size: null });
    const digestOf = (name: string) =>
      json(ann.get(`${saved()}/tags/digest?repository=lib/two&tag=${name}`));
    expect(await digestOf('latest')).toEqual({ digest: tag.digest });
    expect(await digestOf('none')).toEqual({ digest: null });
    const detail = await json(ann.get(`${saved()}/tags/detail?repository=lib/two&tag=latest`));
    expect(detail).toMatchObject({ digest: tag.digest, user: 'nobody' });
    expect(
      (await ann.post(`${saved()}/tags?repository=lib/two`, { source_tag: 'latest', new_tag: 'x' }))
        .status,
    ).toBe(201);
    expect((await remove(ann, `${saved()}/tags?repository=lib/two&tag=latest`))[0]).toBe(204);
    const left = await json(ann.get(`${saved()}/tags?repository=lib/two`));
    expect(left.map((each: { tag: string }) => each.tag)).toEqual(['x']);
  });

  it('has tags whose standing is not known: a filter by it is refused', async () => {
    const response = await ann.get(`${saved()}/tags?repository=lib/one&standing=blocked`);
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { code: 'REGISTRY_NOT_INDEXED', detail: expect.stringContaining('standing') },
    ]);
  });

  it('with a token realm, TLS and a private CA works the same', async () => {
    await using guarded = await startRegistry({ auth: 'token', tls: true });
    const place = { name: 't', host: guarded.host, ca_cert: guarded.ca, ...guarded.credentials };
    const { id: tokenId } = await json(ann.post('/api/registries', place));
    const { digest } = await fill(guarded);
    const path = `/api/images/${tokenId}`;
    expect((await json(ann.get(path))).items).toMatchObject([{ name: 'lib/one' }]);
    expect(await json(ann.get(`${path}/tags?repository=lib/one`))).toMatchObject([
      { tag: '1', digest },
    ]);
    await ann.post(`${path}/tags?repository=lib/one`, { source_tag: '1', new_tag: '2' });
    expect((await remove(ann, `${path}/tags?repository=lib/one&tag=1`))[0]).toBe(204);
    expect(await json(ann.get(`${path}/tags?repository=lib/one`))).toMatchObject([
      { tag: '2', digest },
    ]);
    expect((await remove(ann, `${path}?repository=lib/one`))[1]).toEqual({
      deleted: ['2'],
      failed: [],
    });
  });

  /** Uses the product's client: the small test client supports Basic only. */
  async function fill({ host, ca, credentials }: TestRegistry) {
    const transport = createTransport();
    const image = await single();
    const target = openRepository({
      host,
      tls: 'required',
      ca,
      credentials,
      transport,
      repository: 'lib/one',
    });
    for (const { descriptor, bytes } of [...image.blobs, image])
      await target.push(descriptor, async () => contentOf(bytes));
    await target.tag(image.descriptor, '1');
    transport.close();
    return image;
  }

  it('of another account is a 404; one’s own needs the external rights', async () => {
    expect((await bob.get(saved())).status).toBe(404);
    const own = await json(
      bob.post('/api/registries', { name: 'b', host: outside.host, use_tls: false }),
    );
    const path = `/api/images/${own.id}`;
    expect((await bob.get(path)).status).toBe(403);
    expect((await bob.get(`${path}/tags?repository=lib/one`)).status).toBe(403);
    expect((await remove(bob, `${path}/tags?repository=lib/one&tag=latest`))[0]).toBe(403);
  });

  it('that is our own registry is subject to the folder rules', async () => {
    const own = await json(
      ann.post('/api/registries', { name: 'me', host: api.host, use_tls: false }),
    );
    const { items } = await json(ann.get(`/api/images/${own.id}?page_size=200`));
    expect(items.map((each: { name: string }) => each.name)).not.toContain('secret/a');
    expect((await ann.get(`/api/images/${own.id}/tags?repository=secret/a`)).status).toBe(403);
  });

  it('that refuses the login is reported as such, not as an unknown caller', async () => {
    const wrong = {
      name: 'w',
      host: outside.host,
      use_tls: false,
      username: 'tester',
      password: 'wrong',
    };
    const own = await json(ann.post('/api/registries', wrong));
    const answer = await ann.get(`/api/images/${own.id}/tags?repository=lib/one`);
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'REGISTRY_LOGIN_REFUSED']);
  });

  it('whose token service may not have the login says so, for its list and its tags', async () => {
    const server = await listen(realmElsewhere('localhost'), 0, '127.0.0.1');
    const place = { name: 'e', host: `127.0.0.1:${server.port}`, use_tls: false };
    const own = await json(ann.post('/api/registries', { ...place, username: 'u', password: 'p' }));
    for (const path of ['', '/tags?repository=a/b', '/tags/detail?repository=a/b&tag=1']) {
      const answer = await refusal(ann.get(`/api/images/${own.id}${path}`));
      expect(answer).toMatchObject({ status: 409, code: 'LOGIN_WITHHELD' });
      expect(answer.detail).toContain('token_hosts');
    }
    await server.stop(1_000);
  });

  it('that is unavailable is a 503, never an empty list', async () => {
    const own = await json(
      ann.post('/api/registries', { name: 'a', host: '127.0.0.1:1', use_tls: false }),
    );
    for (const path of ['', '/tags?repository=a/b', '/tags/detail?repository=a/b&tag=1']) {
      const answer = await ann.get(`/api/images/${own.id}${path}`);
      expect([path, answer.status, answer.headers.has('retry-after')]).toEqual([path, 503, true]);
    }
  });

  it('without a catalogue finds a whole name, limits pages and follows Link', async () => {
    const server = await listen(closedHub(), 0, '127.0.0.1');
    const place = { name: 'hub', host: `127.0.0.1:${server.port}`, use_tls: false };
    const hub = await json(ann.post('/api/registries', place));
    expect(await codeOf(ann.get(`/api/images/${hub.id}`))).toEqual([409, 'CATALOG_CLOSED']);
    expect((await json(ann.get(`/api/images/${hub.id}?search=lib/known`))).items).toMatchObject([
      { name: 'lib/known' },
    ]);
    expect((await json(ann.get(`/api/images/${hub.id}?search=lib/unknown`))).items).toEqual([]);
    const tags = `/api/images/${hub.id}/tags?repository=lib/known`;
    const all = await pagesOf(`${tags}&limit=50`);
    const four = await pagesOf(`${tags}&limit=2&q=T4`);
    const filtered = await pagesOf(`${tags}&limit=3&q=t`);
    await server.stop(1_000);
    expect(all).toEqual([['t0', 't1'], ['t2', 't3'], ['t4']]);
    // A match on the registry's third page is found at once, and no page exceeds the requested
    // size.
    expect(four).toEqual([['t4']]);
    expect(filtered).toEqual([
      ['t0', 't1'],
      ['t2', 't3', 't4'],
    ]);
  });

  async function pagesOf(first: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = first; next; ) {
      const answer = await ann.get(next);
      pages.push((await json(answer)).map((each: { tag: string }) => each.tag));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return pages;
  }

  /** A registry without a catalogue that returns at most two tags per page. */
  function closedHub() {
    return createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://here.invalid');
      const answer = (status: number, body: unknown, headers = {}) =>
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(body));
      if (url.pathname === '/v2/_catalog')
        return answer(401, { errors: [{ code: 'UNAUTHORIZED' }] });
      if (url.pathname.startsWith('/v2/lib/known/manifests/')) return respondHead(response);
      if (url.pathname !== '/v2/lib/known/tags/list')
        return answer(404, { errors: [{ code: 'NAME_UNKNOWN' }] });
      const from = Number(url.searchParams.get('last')?.slice(1) ?? -1) + 1;
      const tags = ['t0', 't1', 't2', 't3', 't4'].slice(from, from + 2);
      const link =
        from + 2 < 5
          ? { link: `</v2/lib/known/tags/list?last=${tags.at(-1)}&n=2>; rel="next"` }
          : {};
      return answer(200, { name: 'lib/known', tags }, link);
    });
  }

  function respondHead(response: import('node:http').ServerResponse) {
    response.writeHead(200, {
      'content-type': 'application/vnd.oci.image.manifest.v1+json',
      'docker-content-digest': `sha256:${'a'.repeat(64)}`,
      'content-length': '10',
    });
    return response.end();
  }
});
