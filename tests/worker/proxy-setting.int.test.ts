/** A changed proxy setting applies to the next pull and push of running workers. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkKey } from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import { pushImage, randomImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
  await harness.startWorker({ STAGE_TRIES: '1' });
});
afterAll(() => harness[Symbol.asyncDispose]());

/** An address that only the proxy can resolve. */
const ELSEWHERE = 'registry.invalid';

async function pull(tag: string) {
  const source = { kind: 'host', registryId: null, host: ELSEWHERE, useTls: false } as const;
  const job = await harness.submit({ image: 'team/app', tag, host: ELSEWHERE, source });
  return harness.settled(job.id);
}

/** A change of settings has a second to reach the worker; a job may arrive earlier. */
const outcome = async () => (await pull('1')).status;

it('a pull uses the proxy setting of the time when it runs', async () => {
  const image = await randomImage({ layers: 2, bytes: 10_000 });
  await pushImage(harness.registry.url, 'team/app', '1', image);
  await using proxy = await startProxy(harness.registry.host);
  expect((await pull('1')).status).toBe('failed');

  await harness.store.settings.set(networkKey('proxy'), { http_proxy: harness.seal(proxy.url) });
  await publishChange(harness.redis, 'settings');
  await expect.poll(outcome).toBe('staged');
  expect(proxy.requestUrls.length).toBeGreaterThan(2);
  expect(proxy.requestUrls.every((url) => url.startsWith(`http://${ELSEWHERE}/v2/`))).toBe(true);

  await harness.store.settings.remove(networkKey('proxy'));
  await publishChange(harness.redis, 'settings');
  await expect.poll(outcome).toBe('failed');
  const before = proxy.requestUrls.length;
  expect((await pull('1')).status).toBe('failed');
  expect(proxy.requestUrls.length).toBe(before);
});

async function startProxy(target: string) {
  const requestUrls: string[] = [];
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? '');
    requestUrls.push(url.href);
    const [hostname, port] = target.split(':');
    const { method, headers } = incoming;
    const path = url.pathname + url.search;
    const onward = request({ hostname, port, method, headers, path }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward.on('error', () => outgoing.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requestUrls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
