import { createCollectorLock } from '@portcullis/local-registry';
import {
  blobOf,
  buildImage,
  fetchManifest,
  PATIENCE_MS,
  pushBlob,
  pushImage,
  refusal,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
const credentials = { username: 'writer', password: 'pass-of-writer' };

beforeAll(async () => {
  api = await startApi();
  const writer = await api.account('writer');
  const reader = await api.account('reader');
  await api.grant(writer, 'team', { canPull: true, canPush: true });
  await api.grant(reader, 'team', { canPull: true });
});
afterAll(() => api?.stop());

const needed = async () =>
  (await createCollectorLock(api.redis).needed()).entries.map(
    ({ repository, digest }) => `${repository} ${digest}`,
  );

it('a blob is pinned for its push from its upload until a manifest names it', async () => {
  const image = await buildImage({ layers: [{ a: '1' }] });
  for (const blob of image.blobs) await pushBlob(api.url, 'team/app', blob, { credentials });
  const names = image.blobs.map(({ descriptor }) => `team/app ${descriptor.digest}`);
  expect(await needed()).toEqual(expect.arrayContaining(names));
  await pushImage(api.url, 'team/app', '1', image, { credentials });
  for (const name of names) expect(await needed()).not.toContain(name);
});

it('a read does not pin a blob', async () => {
  const blob = blobOf('application/octet-stream', Buffer.from('read only'));
  await pushBlob(api.registry.url, 'team/read', blob);
  const url = `${api.url}/v2/team/read/blobs/${blob.descriptor.digest}`;
  const authorization = `Basic ${Buffer.from('reader:pass-of-reader').toString('base64')}`;
  const response = await fetch(url, { method: 'HEAD', headers: { authorization } });
  expect(response.status).toBe(200);
  expect(await needed()).not.toContain(`team/read ${blob.descriptor.digest}`);
});

it('during garbage collection pushes and deletions get 503 with Retry-After, and pulls continue', async () => {
  const image = await buildImage({ layers: [{ a: '2' }] });
  await pushImage(api.url, 'team/open', '1', image, { credentials });
  const { signal } = new AbortController();
  const closed = await createCollectorLock(api.redis).close({ patienceMs: PATIENCE_MS, signal });
  try {
    expect((await fetchManifest(api.url, 'team/open', '1', { credentials })).status).toBe(200);
    const authorization = `Basic ${Buffer.from('writer:pass-of-writer').toString('base64')}`;
    const url = `${api.url}/v2/team/open/manifests`;
    const type = image.descriptor.mediaType;
    const [pushed, deleted, untagged] = await Promise.all([
      fetch(`${url}/2`, {
        method: 'PUT',
        body: Buffer.from(image.bytes),
        headers: { authorization, 'content-type': type },
      }),
      fetch(`${url}/${image.digest}`, { method: 'DELETE', headers: { authorization } }),
      (await api.as('writer')).delete('/api/images/__local__/tags?repository=team/open&tag=1'),
    ]);
    for (const refused of [pushed, deleted, untagged]) {
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await refusal(pushed)).toMatchObject({
      errors: [{ detail: { code: 'REGISTRY_COLLECTING' } }],
    });
  } finally {
    await closed[Symbol.asyncDispose]();
  }
  await pushImage(api.url, 'team/open', '2', image, { credentials });
});

it('a client that sends its blob slowly keeps no garbage collection waiting', async () => {
  await pushImage(api.url, 'team/slow', '1', await buildImage({ layers: [{ a: '3' }] }), {
    credentials,
  });
  const authorization = `Basic ${Buffer.from('writer:pass-of-writer').toString('base64')}`;
  const { descriptor, bytes } = blobOf('application/octet-stream', Buffer.from('slow'));
  const begin = await fetch(`${api.url}/v2/team/slow/blobs/uploads/`, {
    method: 'POST',
    headers: { authorization },
  });
  const end = new URL(begin.headers.get('location') ?? '', api.url);
  end.searchParams.set('digest', descriptor.digest);
  const rest = Promise.withResolvers<void>();
  const isSending = Promise.withResolvers<void>();
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(bytes.subarray(0, 2));
      isSending.resolve();
      await rest.promise;
      controller.enqueue(bytes.subarray(2));
      controller.close();
    },
  });
  const init = { method: 'PUT', headers: { authorization }, body, duplex: 'half' } as RequestInit;
  const sent = fetch(end, init);
  await isSending.promise;
  const { signal } = new AbortController();
  const closed = await createCollectorLock(api.redis).close({ patienceMs: PATIENCE_MS, signal });
  await closed[Symbol.asyncDispose]();
  rest.resolve();
  expect((await sent).status).toBe(201);
});
