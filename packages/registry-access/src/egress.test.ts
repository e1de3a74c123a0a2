import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRepository } from '@portcullis/oci/remote';
import { expect, it, onTestFinished } from 'vitest';
import { openEgress } from './egress.ts';

it('requests of all transports say that they are of Portcullis', async () => {
  const agents: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    agents.push(request.headers['user-agent']);
    response.end(JSON.stringify({ name: 'team/app', tags: ['1'] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const egress = await openEgress({
    ownServices: [],
    allow: ['127.0.0.0/8'],
    deny: [],
    proxy: () => ({ http_proxy: null, https_proxy: null, no_proxy: null }),
    transport: { retries: 0 },
  });
  onTestFinished(async () => {
    await egress.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  for (const transport of [egress.configured, egress.for({ isAdmin: false })]) {
    const host = `127.0.0.1:${port}`;
    const repository = openRepository({ host, repository: 'team/app', tls: 'off', transport });
    expect(await repository.allTags()).toEqual(['1']);
  }
  expect(agents).toEqual(['portcullis', 'portcullis']);
});
