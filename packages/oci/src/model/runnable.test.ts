import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentOf } from '../copy/buffered.ts';
import { createMemoryStore } from '../memory/memory.ts';
import type { Digest } from './digest.ts';
import { isRunnable } from './runnable.ts';

const IMAGE_CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const { signal } = new AbortController();

interface Part {
  mediaType: string;
  bytes: string;
  annotations?: Record<string, string>;
}

async function runnable(configType: string, layers: Part[]): Promise<boolean> {
  const store = createMemoryStore();
  const reads: string[] = [];
  const stored = async ({ mediaType, bytes: text, annotations }: Part) => {
    const bytes = Buffer.from(text, 'latin1');
    const digest: Digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const descriptor = { mediaType, digest, size: bytes.length };
    await store.push(descriptor, async () => contentOf(bytes));
    return { ...descriptor, ...(annotations && { annotations }) };
  };
  const config = await stored({ mediaType: configType, bytes: '{}' });
  const described = [];
  for (const layer of layers) described.push(await stored(layer));
  const source = {
    fetch: (...args: Parameters<typeof store.fetch>) => {
      reads.push(args[0].digest);
      return store.fetch(...args);
    },
  };
  const result = await isRunnable({ config, layers: described }, source, { signal });
  expect(new Set(reads).size).toBe(reads.length);
  return result;
}

describe('an engine could run a manifest', () => {
  const text = { mediaType: 'application/vnd.in-toto+json', bytes: '{"a":1}' };

  it.each<[string, string, Part[], boolean]>([
    ['no attestation: an image config with JSON', IMAGE_CONFIG, [text], false],
    [
      'that is a WebAssembly module',
      'application/vnd.wasm.config.v0+json',
      [{ mediaType: 'application/wasm', bytes: '\0asm' }],
      true,
    ],
    ['none of another config', 'application/vnd.example', [{ ...text, mediaType: LAYER }], false],
    [
      'with a layer by its media type, whatever it is',
      IMAGE_CONFIG,
      [{ ...text, mediaType: `${LAYER}+zstd` }],
      true,
    ],
    [
      "with a layer of Docker's",
      IMAGE_CONFIG,
      [{ ...text, mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip' }],
      true,
    ],
    [
      'with a table of contents of zstd:chunked',
      IMAGE_CONFIG,
      [{ ...text, annotations: { 'io.github.containers.zstd-chunked.manifest-position': '1' } }],
      true,
    ],
    [
      'with the annotation of another snapshotter',
      IMAGE_CONFIG,
      [{ ...text, annotations: { 'containerd.io/snapshot/nydus-blob': 'true' } }],
      true,
    ],
    [
      'with an archive of any media type',
      IMAGE_CONFIG,
      [{ mediaType: 'text/plain', bytes: '\u001f\u008b\u0000\u0001' }],
      true,
    ],
    [
      'none where a text is listed a thousand times, which is read once',
      IMAGE_CONFIG,
      Array.from({ length: 1_000 }, () => text),
      false,
    ],
  ])('%s', async (_, config, layers, expected) => {
    expect(await runnable(config, layers)).toBe(expected);
  });
});
