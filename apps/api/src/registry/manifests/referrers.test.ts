/** What a list of referrers costs that any client may write, and that any reader asks for. */
import { OCI_INDEX, OCI_MANIFEST } from '@portcullis/oci';
import { expect, it, vi } from 'vitest';
import { listReferrers } from './referrers.ts';

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}` as const;

it('a long list under a tag is read once, and not for each request', async () => {
  const annotations = (at: number) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, n) => [(at * 50 + n).toString(36), '']));
  const manifests = Array.from({ length: 5_000 }, (_, at) => ({
    ...{ mediaType: OCI_MANIFEST, digest: digestOf('a'), size: 1 },
    annotations: annotations(at),
  }));
  const list = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests });
  const ports = {
    referrers: { list: async () => [] },
    registryClient: { index: async () => Buffer.from(list), has: async () => true },
  };
  const request = { repository: 'team/app', digest: digestOf('b'), query: new Map() };
  const first = await listReferrers(ports, request);
  expect(first.index.manifests).toHaveLength(100);
  const slices = vi.spyOn(globalThis, 'setImmediate');
  for (let round = 0; round < 10; round += 1)
    expect(await listReferrers(ports, request)).toEqual(first);
  // To read it takes a third of a second, in slices.
  expect(slices).not.toHaveBeenCalled();
});
