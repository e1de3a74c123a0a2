/** What mirror-platforms.int and mirror-platforms-beside.night start, and how they look at it. */
import type { TestImage } from '@portcullis/testing';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type MirrorSite, openMirrorSite } from './mirror-site.ts';

export let site: MirrorSite;

export const digestIn = (response: Response) => response.headers.get('docker-content-digest');

export const read = (place: string, reference: string, how?: Parameters<MirrorSite['read']>[1]) =>
  site.read(`some/${place}/manifests/${reference}`, how);

export const statusOf = async (...asked: Parameters<typeof read>) => (await read(...asked)).status;

export const blobs = (place: string) =>
  site.upstream.blobGets().filter(({ path }) => path.startsWith(`/v2/${place}/`));

export const childrenOf = ({ children: [amd64, arm64] }: TestImage) => {
  if (!amd64 || !arm64) throw new Error('the index has two images');
  return { amd64, arm64 };
};

export function startPlatforms(): void {
  beforeAll(async () => {
    site = await openMirrorSite();
    await site.mirror('some', { platforms: ['linux/amd64'] });
  });
  afterAll(() => site?.[Symbol.asyncDispose]());
  afterEach(() => {
    site.upstream.behaviour = {};
  });
}
