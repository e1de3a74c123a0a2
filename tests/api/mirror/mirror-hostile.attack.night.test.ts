/**
 * Malicious upstreams of a mirror: each case of the hostile sources, met by the api with its
 * questions and by the worker that brings in. What a client is served is what its digest says, or
 * it reads why it is not, and nothing is stored in part.
 */
import { createHash } from 'node:crypto';
import { eventually, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileRegistry, startHostile } from '../../worker/hostile.ts';
import { ANSWERS } from '../../worker/hostility/answers.ts';
import { type HostileCase, LOGIN, ordinary } from '../../worker/hostility/case.ts';
import { DOCUMENTS } from '../../worker/hostility/documents.ts';
import { ELSEWHERE } from '../../worker/hostility/elsewhere.ts';
import { type MirrorSite, messageOf, openMirrorSite } from './mirror-site.ts';

const CASES: HostileCase[] = [...ANSWERS, ...DOCUMENTS, ...ELSEWHERE];
/** An account has few pulls that are held. */
const AT_ONCE = 8;

interface Pull {
  repository: string;
  image: TestImage | undefined;
  response: Response;
}

let site: MirrorSite;
let elsewhere: HostileRegistry;
const pulls = new Map<string, Pull>();
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  site = parts.use(await openMirrorSite({ STAGE_TRIES: '1', SILENCE_SECONDS: '5' }));
  const images = new Map<HostileCase, TestImage[]>();
  for (const each of CASES) images.set(each, await (each.images ?? ordinary)());
  elsewhere = parts.use(
    await startHostile([...images.values()].flat(), ({ path }, response) => {
      if (!path.startsWith('/token')) return false;
      response.end(JSON.stringify({ token: 'good' }));
      return true;
    }),
  );
  const waiting = [...CASES.entries()];
  const pullAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [nth, each] = next;
      pulls.set(each.source, await pull(each, `m${nth}`, images.get(each) ?? []));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, pullAll));
});
afterAll(() => parts.disposeAsync());

/** Repeats the pull while the answer is 429, as a client with retries does. */
async function pull(
  { behave, login }: HostileCase,
  folder: string,
  images: TestImage[],
): Promise<Pull> {
  const source = parts.use(await startHostile(images, behave?.({ elsewhere }) ?? (() => false)));
  const registry_id = await site.saveRegistry(source.host, login ? LOGIN : undefined);
  await site.mirror(folder, { registry_id });
  await site.usePolicy(folder, { unscannable: 'allow' });
  const repository = `${folder}/team/app`;
  const read = () => site.read(`${repository}/manifests/1`);
  let response = await read();
  const again = async () => {
    response = await read();
    return response.status;
  };
  // The scan of hundreds of images goes on.
  if (response.status === 429) await eventually(again, (status) => status !== 429).catch(() => {});
  return { repository, image: images[0], response };
}

async function expectWhole({ repository, image, response }: Pull): Promise<void> {
  const digest = response.headers.get('docker-content-digest');
  expect(digest).toBe(image?.digest);
  expect(await digestOf(response)).toBe(digest);
  for (const { descriptor } of image?.blobs ?? []) {
    const blob = await site.read(`${repository}/blobs/${descriptor.digest}`);
    expect([blob.status, await digestOf(blob)]).toEqual([200, descriptor.digest]);
  }
}

async function digestOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Whether the registry behind the gate has the tag. */
async function isStored(repository: string): Promise<boolean> {
  const url = `${site.api.registry.url}/v2/${repository}/manifests/1`;
  const { status } = await fetch(url, { method: 'HEAD', headers: { accept: '*/*' } });
  return status === 200;
}

describe('an upstream that', () => {
  it.each(CASES.map((each) => [each.source, each] as const))('%s', async (name, { follows }) => {
    const made = pulls.get(name) ?? expect.fail('it was not pulled');
    const { status } = made.response;
    if (status === 200) {
      expect(follows).toBe('staged');
      await expectWhole(made);
      return;
    }
    // A good image may be one that no scan reads (403), or hundreds that are scanned (429).
    expect(follows === 'staged' ? [403, 429] : [403, 404, 503]).toContain(status);
    expect(await messageOf(made.response)).toMatch(/\S{3}/);
    // What is still scanned may pass at any moment.
    if (status !== 429) expect(await isStored(made.repository)).toBe(false);
  });
});

it('no credentials reached another host', () => {
  expect(elsewhere.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  const paths = elsewhere.seen.map((request) => request.path).join('\n');
  expect(paths).not.toContain(encodeURIComponent(LOGIN.password));
});
