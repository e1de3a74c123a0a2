/** F6: a push over `/v2` that would fill the disk of the registry, which the database may share. */
import { randomBytes } from 'node:crypto';
import { sha256, slowness, startRegistry } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { serveV2 } from '../v2.fixture.ts';

const MIB = 1024 * 1024;

async function gateOver(space: { total: number; free: number; reserve: number }) {
  const registry = await startRegistry();
  onTestFinished(registry.stop);
  const gate = await serveV2(registry.url, { disk: { look: async () => ({ ...space }) } });
  onTestFinished(gate.stop);
  const authorization = `Basic ${Buffer.from('writer:writerwriter').toString('base64')}`;
  return (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, gate.url), { ...init, headers: { authorization, ...init.headers } });
}

it('is not started while less than the reserve is free; reads continue', async () => {
  const ask = await gateOver({ total: 100 * MIB, free: 9 * MIB, reserve: 10 * MIB });
  const refused = await ask('/v2/team/app/blobs/uploads/', { method: 'POST' });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.json()).toMatchObject({
    errors: [{ code: 'UNAVAILABLE', detail: { code: 'DISK_RESERVE' } }],
  });
  expect((await ask('/v2/')).status).toBe(200);
});

it('is refused where the body that it announces would leave less than the reserve', async () => {
  const ask = await gateOver({ total: 100 * MIB, free: 12 * MIB, reserve: 10 * MIB });
  const put = async (bytes: Buffer) => {
    const begun = await ask('/v2/team/app/blobs/uploads/', { method: 'POST' });
    expect(begun.status).toBe(202);
    const location = `${begun.headers.get('location')}&digest=${sha256(bytes)}`;
    return (await ask(location, { method: 'PUT', body: new Uint8Array(bytes) })).status;
  };
  expect(await put(randomBytes(MIB))).toBe(201);
  expect(await put(randomBytes(3 * MIB))).toBe(503);
});

it('of unknown length is cut off once less than the reserve is free', async () => {
  const space = { total: 100 * MIB, free: 90 * MIB, reserve: 10 * MIB };
  const ask = await gateOver(space);
  const begun = await ask('/v2/team/app/blobs/uploads/', { method: 'POST' });
  let sent = 0;
  const endless = new ReadableStream({
    async pull(controller) {
      sent += 1;
      if (sent === 3) space.free = 9 * MIB;
      await slowness(50);
      controller.enqueue(randomBytes(1024));
    },
  });
  const init = { method: 'PATCH', body: endless, duplex: 'half' } as RequestInit;
  const answer = ask(begun.headers.get('location') ?? '', init).then(
    ({ status }) => status,
    () => 'cut',
  );
  expect(['cut', 503]).toContain(await answer);
});
