/**
 * What immutable-tags.attack.int and immutable-tags.attack.night start, and how they look at it.
 */
import { fetchManifest, pushImage, randomImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

export const CREDENTIALS = { username: 'root', password: 'pass-of-root' };

export const LOGIN = `${CREDENTIALS.username}:${CREDENTIALS.password}`;

const BASIC = { authorization: `Basic ${Buffer.from(LOGIN).toString('base64')}` };

export const FOLDER = 'kept';

export let api: TestApi;

/** Another process, whose registry receives the uploads itself. */
export let proxied: TestApi;

export let root: Client;

export let first: TestImage;

export let other: TestImage;

export let repository: string;

let count = 0;

function image(): Promise<TestImage> {
  return randomImage({ layers: 1, bytes: 1_000, compression: 'gzip' });
}

export async function expectStatus(status: number, reply: Promise<Response>): Promise<unknown> {
  const { status: answered, body } = await answerOf(reply);
  expect(answered, JSON.stringify(body)).toBe(status);
  return body;
}

export async function answerOf(reply: Promise<Response>) {
  const response = await reply;
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

export async function digestAt(tag: string, name = repository): Promise<string | undefined> {
  const { status, headers } = await fetchManifest(api.registry.url, name, tag);
  return status === 200 ? headers['docker-content-digest'] : undefined;
}

export function put(
  to: TestApi,
  reference: string,
  { bytes, descriptor }: Pick<TestImage, 'bytes' | 'descriptor'>,
): Promise<Response> {
  return fetch(`${to.url}/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { ...BASIC, 'content-type': descriptor.mediaType },
    body: new Uint8Array(bytes),
  });
}

export function remove(to: TestApi, path: string): Promise<Response> {
  return fetch(`${to.url}/v2/${repository}/${path}`, { method: 'DELETE', headers: BASIC });
}

export function setRepository(value: typeof repository): void {
  repository = value;
}

export function startImmutable(): void {
  beforeAll(async () => {
    api = await startApi();
    const env = { ...api.surroundings.env };
    delete env.REGISTRY_STORAGE;
    const surroundings = { ...api.surroundings, env };
    proxied = await startApi({}, { surroundings });
    await api.account('root', { isAdmin: true });
    root = await api.as('root');
    await expectStatus(201, root.post('/api/folders', { name: FOLDER, immutable_tags: ['v*'] }));
    first = await image();
    other = await image();
  });
  afterAll(async () => {
    await proxied?.stop();
    await api?.stop();
  });
  beforeEach(async () => {
    repository = `${FOLDER}/app${++count}`;
    await pushImage(api.url, repository, 'v1', first, { credentials: CREDENTIALS });
    await pushImage(api.url, repository, 'latest', other, { credentials: CREDENTIALS });
  });
}
