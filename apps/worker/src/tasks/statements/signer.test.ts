import { generateSigningKey, openSigningKey } from '@portcullis/attest';
import { expect, it } from 'vitest';
import { createSigner, prepareSigningKey, type SignerPorts } from './signer.ts';

const quiet = { info() {}, warn() {} };
type Current = Awaited<ReturnType<SignerPorts['keys']['current']>>;

function keysOf(first: Current = null) {
  let current = first;
  const keys: SignerPorts['keys'] = {
    current: async () => current,
    async insertFirst(key) {
      if (current) return false;
      current = key;
      return true;
    },
    async adopt(key) {
      if (current?.id === key.id) return 'current';
      current = { ...key, privateKey: null };
      return 'adopted';
    },
  };
  return { keys, now: () => current };
}

it('a worker makes the first key, and signs with it', async () => {
  const { keys, now } = keysOf();
  const ports = { keys, own: null, log: quiet };
  expect(await createSigner(ports)()).toBeNull();
  await prepareSigningKey(ports);
  const made = now();
  await prepareSigningKey(ports);
  expect(now()).toBe(made);
  expect((await createSigner(ports)())?.id).toBe(made?.id);
});

it('a worker with another file stops signing once its key is followed', async () => {
  const { keys } = keysOf();
  const workers = [generateSigningKey(), generateSigningKey()].map((pem) => {
    const ports = { keys, own: openSigningKey(pem), log: quiet };
    return { id: ports.own.id, ports, sign: createSigner(ports) };
  });
  for (const { ports } of workers) await prepareSigningKey(ports);
  const signs = await Promise.all(workers.map(({ sign }) => sign()));
  expect(signs.map((key) => key?.id)).toEqual([undefined, workers[1]?.id]);
});
