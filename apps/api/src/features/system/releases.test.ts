import { expect, it } from 'vitest';
import { isNewer, latestRelease, type ReleasePorts } from './releases.ts';

function releasesWith(
  answer: { status: number; text: string } | Error,
  url: string | null = 'https://x.test/latest',
) {
  const kept = new Map<string, string>();
  let requests = 0;
  const redis = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => void kept.set(key, value),
  };
  const transport: ReleasePorts['transport'] = {
    async send({ url: to }) {
      requests += 1;
      if (answer instanceof Error) throw answer;
      return { status: answer.status, headers: {}, body: Buffer.from(answer.text), url: to };
    },
  };
  // Two of the overloads of Redis's `set` are used.
  const ports = { url, transport, redis: redis as unknown as ReleasePorts['redis'] };
  return { latest: () => latestRelease(ports), requests: () => requests };
}

const GITHUB = JSON.stringify({
  tag_name: 'v1.4.0',
  html_url: 'https://example.com/r/1.4.0',
  published_at: '2026-11-01T10:00:00+01:00',
});

it('the latest release is requested once, and cached', async () => {
  const { latest, requests } = releasesWith({ status: 200, text: GITHUB });
  const release = {
    version: '1.4.0',
    url: 'https://example.com/r/1.4.0',
    publishedAt: '2026-11-01T09:00:00.000Z',
  };
  expect(await latest()).toEqual(release);
  expect(await latest()).toEqual(release);
  expect(requests()).toBe(1);
});

it('no request is sent unless the operator configured an address', async () => {
  const { latest, requests } = releasesWith({ status: 200, text: GITHUB }, null);
  expect(await latest()).toBeNull();
  expect(requests()).toBe(0);
});

it.each([
  ['is unreachable', new Error('no route')],
  ['answers with a fault', { status: 500, text: '' }],
  ['answers with another document', { status: 200, text: '{"tag_name":"nightly"}' }],
  ['does not answer with JSON', { status: 200, text: '<html>' }],
])('a server that %s is unavailable, and is asked again the next time', async (_, answer) => {
  const { latest, requests } = releasesWith(answer);
  await expect(latest()).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'RELEASES_UNAVAILABLE',
  });
  await expect(latest()).rejects.toThrow();
  expect(requests()).toBe(2);
});

it('only the link of a web page is shown', async () => {
  const { latest } = releasesWith({
    status: 200,
    text: '{"version":"2.0.0","html_url":"javascript:alert(1)"}',
  });
  expect(await latest()).toEqual({ version: '2.0.0', url: null, publishedAt: null });
});

it.each([
  ['1.4.0', '1.3.9', true],
  ['1.4.0', '1.4.0', false],
  ['1.4.0', '1.10.0', false],
  ['v2.0.0', '1.9.9', true],
  ['1.4.0', '1.4.0-rc.1', true],
  ['1.4.0-rc.1', '1.4.0', false],
  ['nightly', '1.0.0', false],
])('%s is newer than %s: %s', (candidate, than, newer) => {
  expect(isNewer(candidate, than)).toBe(newer);
});
