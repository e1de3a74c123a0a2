/** What transfers.int and transfers.night start, and how they look at it. */
import type { SavedRegistry } from '@portcullis/store';
import {
  fetchManifest,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Harness, openHarness } from './harness.ts';
import { type Behaviour, startProxy } from './proxy.ts';

export let harness: Harness;

/** Anonymous; Basic; Basic behind TLS with a private certificate authority. */
export let open: TestRegistry;

export let basic: TestRegistry;

export let sealed: TestRegistry;

export let saved: Record<'open' | 'basic' | 'sealed', SavedRegistry>;

function save(
  name: string,
  { host, credentials, ca }: Pick<TestRegistry, 'host' | 'credentials' | 'ca'>,
) {
  const tls = { useTls: ca !== undefined, caCert: ca ?? null };
  return harness.store.registries.insert({ name, host, ...tls, ...credentials });
}

export async function worker(env?: Record<string, string>) {
  const started = await harness.startWorker(env);
  onTestFinished(() => started.kill('SIGTERM'));
  return started;
}

export async function proxied(registry: TestRegistry, behaviour?: Behaviour) {
  const proxy = await startProxy(registry.url, behaviour);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const { host } = proxy;
  return {
    proxy,
    saved: await save('proxied', { host, credentials: registry.credentials, ca: undefined }),
  };
}

export async function digestAt(registry: TestRegistry, repository: string, tag = '1') {
  const { status, body } = await fetchManifest(registry.url, repository, tag, registry);
  return status === 200 ? Buffer.from(body) : null;
}

export async function expectThere(
  registry: TestRegistry,
  repository: string,
  image: TestImage | undefined,
  tag = '1',
) {
  expect((await digestAt(registry, repository, tag))?.equals(Buffer.from(image?.bytes ?? []))).toBe(
    true,
  );
}

export function startTransfers(): void {
  beforeAll(async () => {
    [harness, open, basic, sealed] = await Promise.all([
      openHarness(),
      startRegistry(),
      startRegistry({ auth: 'basic' }),
      startRegistry({ auth: 'basic', tls: true }),
    ]);
    saved = {
      open: await save('open', open),
      basic: await save('basic', basic),
      sealed: await save('sealed', sealed),
    };
  });
  afterAll(async () => {
    await harness?.[Symbol.asyncDispose]();
    await Promise.all([open, basic, sealed].map((registry) => registry?.stop()));
  });
}
