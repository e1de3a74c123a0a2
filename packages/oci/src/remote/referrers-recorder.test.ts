import { buildArtifact, buildImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import type { Descriptor } from '../model/descriptor.ts';
import { OCI_INDEX } from '../model/media-type.ts';
import { chunked } from '../target-contract/content.ts';
import { json, repositoryAt, startServer } from './http/server.contract.ts';

const image = await buildImage({ layers: [{ a: 'b' }] });
const other = await buildImage({ layers: [{ a: 'c' }] });

const artifact = (name: string, subject: Descriptor = image.descriptor) =>
  buildArtifact({ layers: [{ mediaType: 'text/plain', bytes: Buffer.from(name) }], subject });

type Artifact = ReturnType<typeof artifact>;

/** A registry without the referrers API; a list may have so many entries. */
async function registry({ most = Number.POSITIVE_INFINITY } = {}) {
  const tags = new Map<string, Buffer>();
  const server = await startServer(({ method, url, body }, response) => {
    const [, tag] = /\/manifests\/(sha256-.*)$/.exec(url) ?? [];
    if (tag === undefined) return response.writeHead(201).end();
    if (method === 'PUT') {
      const { manifests } = JSON.parse(`${body}`);
      if (manifests.length > most) return json(response, 413, { errors: [{ code: 'TOO_LARGE' }] });
      tags.set(tag, body);
      return response.writeHead(201).end();
    }
    const list = tags.get(tag);
    if (!list) return json(response, 404, { errors: [{ code: 'MANIFEST_UNKNOWN' }] });
    return response.writeHead(200, { 'content-type': OCI_INDEX }).end(list);
  });
  const repository = repositoryAt(server);
  return {
    push: (pushed: Artifact, signal?: AbortSignal) =>
      repository.push(pushed.descriptor, chunked(pushed.bytes).open, { signal }),
    listed: (subject: Descriptor = image.descriptor) => {
      const list = tags.get(subject.digest.replace(':', '-'));
      const { manifests } = JSON.parse(`${list ?? '{"manifests":[]}'}`);
      return manifests.map(({ digest }: Descriptor) => digest).sort();
    },
    writes: () =>
      server.requests.filter(({ method, url }) => method === 'PUT' && url.includes('/sha256-'))
        .length,
  };
}

const digestsOf = (artifacts: Artifact[]) =>
  artifacts.map(({ descriptor }) => descriptor.digest).sort();
const many = (count: number, subject?: Descriptor) =>
  Array.from({ length: count }, (_, at) => artifact(`${at}`, subject));

describe('referrers of a registry without the API', () => {
  it('that are pushed at once are recorded together', async () => {
    const { push, listed, writes } = await registry();
    const pushed = many(40);
    await Promise.all(pushed.map((each) => push(each)));
    expect(listed()).toEqual(digestsOf(pushed));
    expect(writes()).toBeLessThan(pushed.length);
  });

  it('are recorded under the tag of their subject', async () => {
    const { push, listed } = await registry();
    const [ones, others] = [many(5), many(5, other.descriptor)];
    await Promise.all([...ones, ...others].map((each) => push(each)));
    expect(listed()).toEqual(digestsOf(ones));
    expect(listed(other.descriptor)).toEqual(digestsOf(others));
  });

  it('are recorded once, and not written again', async () => {
    const { push, listed, writes } = await registry();
    const pushed = artifact('x');
    for (let time = 0; time < 3; time += 1) await push(pushed);
    expect(listed()).toEqual(digestsOf([pushed]));
    expect(writes()).toBe(1);
  });

  it('of which the list takes some are recorded as far as it does', async () => {
    const { push, listed } = await registry({ most: 3 });
    const settled = await Promise.allSettled(many(8).map((each) => push(each)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(listed()).toHaveLength(3);
  });

  it('do not end with a push that ends', async () => {
    const { push, listed } = await registry();
    const left = new AbortController();
    const pushed = many(10);
    const settled = Promise.allSettled(
      pushed.map((each, at) => push(each, at % 2 === 0 ? left.signal : undefined)),
    );
    left.abort();
    const fulfilled = pushed.filter((_, at) => at % 2 === 1);
    expect((await settled).filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(
      4,
    );
    expect(listed()).toEqual(expect.arrayContaining(digestsOf(fulfilled)));
  });
});
