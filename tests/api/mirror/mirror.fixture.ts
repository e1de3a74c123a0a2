/** What mirror.int and mirror-upstreams.night start, and how they look at it. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type MirrorSite, openMirrorSite } from './mirror-site.ts';

export let site: MirrorSite;

export const digestIn = (response: Response) => response.headers.get('docker-content-digest');

export async function afterCheck(path: string): Promise<Response> {
  await site.due();
  const response = await site.read(path);
  await response.body?.cancel();
  return response;
}

/** Until the process has heard of the new state. */
export const reads = async (path: string) => {
  const response = await afterCheck(path);
  return [response.status, digestIn(response), response.headers.get('warning') !== null];
};

/** What the page and `pcs why` say of an image that is not here. */
export async function whyNot(repository: string, reference: string, by = 'dev') {
  const client = await site.api.as(by);
  const answer = async (path: string) => {
    const reply = await client.get(path);
    return { status: reply.status, ...(await reply.json()) };
  };
  const query = `repository=${repository}&reference=${reference}`;
  const why = await answer(`/api/gate/explain?${query}`);
  const detail = `/api/images/__local__/tags/detail?repository=${repository}&tag=${reference}`;
  expect(await answer(detail)).toMatchObject({ status: why.status, code: why.code });
  return why;
}

export function startMirrors(): void {
  beforeAll(async () => {
    site = await openMirrorSite();
    await site.mirror('up');
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  afterEach(() => {
    site.upstream.behaviour = {};
  });
}
