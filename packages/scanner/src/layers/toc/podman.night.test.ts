/**
 * A real zstd:chunked layer pushed by podman is verified, so that an honest image of that kind can
 * be clean.
 */
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { containerTools, temporaryDir } from '@portcullis/testing';
import { expect, it, onTestFinished } from 'vitest';
import { readLayer } from '../layer-facts.ts';
import { createLayerThreads } from '../layer-threads.ts';
import { recentLayers } from '../recent-layers.ts';
import { tocAnnotations } from './annotations.ts';

it('a layer that podman wrote as zstd:chunked agrees with its table of contents', async () => {
  await using tools = await containerTools();
  await using out = await temporaryDir();
  const files = await filesIn(join(tools.dir, 'files', 'long'.repeat(40)));
  const container = (await tools.buildah('from', 'scratch')).trim();
  await tools.buildah('copy', container, files, '/deep');
  await tools.buildah('commit', container, 'local/app:1');
  const formats = ['--compression-format', 'zstd:chunked', '--tls-verify=false'];
  await tools.podman('push', ...formats, 'local/app:1', `oci:${out.path}:1`);

  const index = JSON.parse(await readFile(join(out.path, 'index.json'), 'utf8'));
  const blob = (digest: string) => join(out.path, 'blobs', digest.replace(':', '/'));
  const manifest = JSON.parse(await readFile(blob(index.manifests[0].digest), 'utf8'));
  expect(manifest.layers).toHaveLength(1);
  const [{ digest, annotations }] = manifest.layers;
  const position = expect.stringMatching(
    /^io\.(?:github\.)?containers\.zstd-chunked\.manifest-position$/,
  );
  expect(Object.keys(annotations)).toContainEqual(position);
  const threads = createLayerThreads();
  onTestFinished(() => threads.close());
  const recent = recentLayers(threads, 1024 ** 3);
  const place = { layoutDir: out.path, cacheDir: join(out.path, 'memory'), threads, recent };
  const limits = { signal: new AbortController().signal, maxUnpacked: 1024 ** 3 };
  const layer = { digest, diffId: 'unknown' };
  const annotated = { ...layer, annotations: tocAnnotations(annotations) };
  expect(await readLayer(annotated, place, limits)).toMatchObject({ table: 'agrees' });
  expect(await readLayer(layer, place, limits)).toMatchObject({ table: 'agrees' });
});

/**
 * Every kind of entry that an unprivileged build makes, with content of several chunks and with
 * holes.
 */
async function filesIn(dir: string): Promise<string> {
  await mkdir(join(dir, 'sub'), { recursive: true });
  const big = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * at) % 251));
  const holes = Buffer.concat([Buffer.from('a'), Buffer.alloc(2_000_000), Buffer.from('b')]);
  await writeFile(join(dir, 'big'), big);
  await writeFile(join(dir, 'sub', 'holes'), holes);
  await writeFile(join(dir, 'empty'), '');
  await writeFile(join(dir, 'ümlaut'), 'x');
  await symlink('../nowhere', join(dir, 'link'));
  await link(join(dir, 'big'), join(dir, 'same'));
  return join(dir, '..');
}
