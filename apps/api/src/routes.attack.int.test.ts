/** Attacks on routes outside `/v2`, by accounts that try to read or use what is not theirs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publishProgress } from '@portcullis/events';
import { json, sha256 } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, startApi, type TestApi } from './api.fixture.ts';

let api: TestApi;
let ids: { ann: string; eve: string };
let ann: Client;
let eve: Client;
let root: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  ids = { ann: await api.account('ann'), eve: await api.account('eve') };
  for (const id of [ids.ann, ids.eve])
    await api.grant(id, `of-${id}`, { canPull: true, canPullExternal: true });
  [root, ann, eve] = await Promise.all([api.as('root'), api.as('ann'), api.as('eve')]);
});
afterAll(() => api?.stop());

async function serve(
  answer: (path: string) => { body?: string; headers?: Record<string, string> },
) {
  const requestPaths: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    requestPaths.push(url);
    const { body = '{}', headers = {} } = answer(url);
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { requestPaths, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function save(client: Client, host: string): Promise<string> {
  const { id } = await json(client.post('/api/registries', { name: host, host, use_tls: false }));
  return id;
}

const submit = (ownerId: string) =>
  api.store.jobs.insert({
    ownerId,
    image: 'a',
    tag: '1',
    source: { kind: 'dockerhub', registryId: null, host: 'h' },
  });

describe('an event stream', () => {
  /** The events up to the first one of this job. */
  async function readUntil(client: Client, jobId: string, since: string): Promise<string> {
    const response = await client.get('/api/staging/events', { 'last-event-id': since });
    expect(response.status).toBe(200);
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes(jobId)) break;
    }
    return text;
  }

  const tell = (jobId: string, ownerId: string) =>
    publishProgress(api.redis, { jobId, ownerId, kind: 'job', data: { job_id: jobId } });

  it.each(['0-0', '0', '-', '$', '+', '1-1\r\nevent: x', '9'.repeat(40), "'; DROP TABLE users"])(
    'that is resumed from %j has no job of another account',
    async (since) => {
      const [hers, own] = [await submit(ids.ann), await submit(ids.eve)];
      await tell(hers.id, ids.ann);
      const fromNow = setInterval(() => void tell(own.id, ids.eve), 100);
      onTestFinished(() => clearInterval(fromNow));
      const header = since.replaceAll(/[\r\n]/g, ' ');
      const seen = await readUntil(eve, own.id, header);
      expect(seen).not.toContain(hers.id);
      expect(await readUntil(ann, hers.id, '0-0')).not.toContain(own.id);
    },
  );
});

it('an Idempotency-Key of another account creates a separate job, and does not show theirs', async () => {
  const order = { image: 'library/alpine', tag: '3' };
  const key = { 'idempotency-key': 'the very same' };
  const [hers, own] = [
    await json(ann.post('/api/staging/pull', order, { 'idempotency-key': 'the-very-same' })),
    await json(eve.post('/api/staging/pull', order, { 'idempotency-key': 'the-very-same' })),
  ];
  expect(own.job_id).not.toBe(hers.job_id);
  expect((await eve.get(`/api/staging/jobs/${hers.job_id}`)).status).toBe(404);
  expect((await ann.post('/api/staging/pull', order, key)).status).toBe(422);
});

describe('a saved registry', () => {
  const digest = sha256(Buffer.from('what ann pulled'));

  /** A registry that claims a tag with this digest without having the image. */
  const claims = (path: string) =>
    path.includes('/tags/list')
      ? { body: JSON.stringify({ name: 'a', tags: ['1'] }) }
      : {
          headers: {
            'content-type': 'application/vnd.oci.image.manifest.v1+json',
            'content-length': '100',
            'docker-content-digest': digest,
          },
        };

  it('that claims the digest of an image which another account scanned gets no report of it', async () => {
    const job = await submit(ids.ann);
    await api.store.jobs.update(job.id, (row) => ({
      ...row,
      status: 'staged',
      digest,
      verdict: 'blocked',
    }));
    const { host } = await serve(claims);
    const verdictFor = async (client: Client) => {
      const [tag] = await json(
        client.get(`/api/images/${await save(client, host)}/tags?repository=a`),
      );
      expect(tag).toMatchObject({ tag: '1', digest });
      return tag.verdict;
    };
    expect(await verdictFor(eve)).toBeNull();
    expect(await verdictFor(ann)).toBe('blocked');
    expect(await verdictFor(root)).toBe('blocked');
  });

  it('whose catalogue is endless, in pages of a hundred thousand names, is not read into memory', async () => {
    let pages = 0;
    const { host, requestPaths } = await serve((path) => {
      if (!path.includes('_catalog')) return {};
      pages += 1;
      const repositories = Array.from({ length: 100_000 }, (_, at) => `r${pages}/${at}`);
      return {
        body: JSON.stringify({ repositories }),
        headers: { link: `</v2/_catalog?n=1000&last=${pages}>; rel="next"` },
      };
    });
    const id = await save(eve, host);
    const page = await json(eve.get(`/api/images/${id}?page=10000&page_size=200`));
    expect(page.items).toEqual([]);
    expect(requestPaths.filter((path) => path.includes('_catalog'))).toHaveLength(1);
    expect((await json(eve.get(`/api/images/${id}?page=250&page_size=200`))).items).toHaveLength(
      200,
    );
  });
});
