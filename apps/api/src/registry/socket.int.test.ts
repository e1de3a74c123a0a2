/**
 * `/v2` over a registry that listens on a Unix socket and requires a login, as `npm start` runs it.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  buildIndex,
  json,
  pushImage,
  randomImage,
  startRegistry,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { as, codeOf, type StartedV2, serveV2, startV2 } from './v2.fixture.ts';

let v2: StartedV2;
let image: TestImage;

const WRITER = { username: 'writer', password: 'writerwriter' };

beforeAll(async () => {
  v2 = await startV2({ socket: true, auth: 'basic' });
  image = await randomImage();
  await pushImage(v2.url, 'team/app', '1', image, { credentials: WRITER });
});

afterAll(() => v2?.stop());

it('an image and an index of it are pushed, listed and read', async () => {
  await pushImage(v2.url, 'team/app', '2', buildIndex([image]), { credentials: WRITER });
  expect(await json(v2.ask('GET', '/v2/team/app/tags/list'))).toEqual({
    name: 'team/app',
    tags: ['1', '2'],
  });
  const manifest = await v2.ask('GET', '/v2/team/app/manifests/1');
  expect(manifest.headers.get('docker-content-digest')).toBe(image.digest);
  const referrers = await v2.ask('GET', `/v2/team/app/referrers/${image.digest}`);
  expect(await json(referrers)).toMatchObject({ manifests: [] });
});

it('a manifest whose layer is missing or has another size is refused, so the checks reach the registry', async () => {
  const layer = {
    mediaType: 'application/vnd.oci.image.layer.v1.tar',
    digest: image.digest,
    size: 5,
  };
  const known = image.blobs[0]?.descriptor ?? layer;
  const put = (config: object, layers: object[]) => {
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const body = JSON.stringify({ schemaVersion: 2, mediaType, config, layers });
    return v2.ask('PUT', '/v2/team/app/manifests/bad', {
      body,
      headers: { 'content-type': mediaType },
    });
  };
  const unknown = { ...layer, digest: `sha256:${'0'.repeat(64)}` };
  expect(await codeOf(await put(known, [unknown]))).toBe('MANIFEST_BLOB_UNKNOWN');
  expect((await put(known, [{ ...known, size: known.size + 1 }])).status).toBe(400);
});

it('a large blob streams in and out whole, in chunks and in part', async () => {
  const bytes = randomBytes(24 * 1024 * 1024);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const started = await v2.ask('POST', '/v2/team/app/blobs/uploads/');
  const chunk = await v2.ask('PATCH', started.headers.get('location') ?? '', { body: bytes });
  expect(chunk.status).toBe(202);
  const ended = await v2.ask('PUT', `${chunk.headers.get('location')}&digest=${digest}`);
  expect(ended.status).toBe(201);
  const whole = Buffer.from(
    await (await v2.ask('GET', `/v2/team/app/blobs/${digest}`)).arrayBuffer(),
  );
  expect(whole.equals(bytes)).toBe(true);
  const part = await v2.ask('GET', `/v2/team/app/blobs/${digest}`, {
    headers: { range: 'bytes=5-9' },
  });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
    206,
    bytes.subarray(5, 10),
  ]);
});

it('a tag is removed, and a stopped registry is unavailable', async () => {
  expect((await v2.ask('DELETE', '/v2/team/app/manifests/2')).status).toBe(202);
  expect((await v2.ask('GET', '/v2/team/app/manifests/2')).status).toBe(404);
  await using other = await startRegistry({ socket: true, auth: 'basic' });
  await using alone = await serveV2(other.loginUrl);
  await other.stop();
  const answer = await fetch(`${alone.url}/v2/team/app/manifests/1`, as('writer'));
  expect(answer.status).toBe(503);
});
