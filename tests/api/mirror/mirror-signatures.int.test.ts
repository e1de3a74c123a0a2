/**
 * A mirror whose policy asks for signatures: one that appears at the upstream after the image
 * (sigstore/policy-controller #1958), and a tag that moves to an image that is not signed.
 */
import { buildArtifact, json, pushImage } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  sampleKey,
  simpleSigning,
  simpleSigningLayer,
} from '../../../packages/attest/src/signing.fixture.ts';
import { type MirrorSite, messageOf, openMirrorSite } from './mirror-site.ts';

const KEY = sampleKey();

let site: MirrorSite;

beforeAll(async () => {
  site = await openMirrorSite();
  await json(site.admin.post('/api/authorities', { name: 'release', kind: 'key', keys: KEY.pem }));
  await site.mirror('up');
  const asked = { images: '**', match: 'any_of' as const, authorities: ['release'] };
  await site.usePolicy('up', { signatures: [{ ...asked, attestation: null }] });
});
afterAll(() => site?.[Symbol.asyncDispose]());

async function sign(repository: string, digest: string): Promise<void> {
  const layers = [simpleSigningLayer(KEY, simpleSigning(digest))];
  const tag = `${digest.replace(':', '-')}.sig`;
  await pushImage(site.origin.url, repository, tag, buildArtifact({ layers }));
}

const statusesOf = async (repository: string) =>
  (await site.jobsOf(repository)).map(({ status }) => status);

/** The status and the digest that the client gets, once the upstream is due to be asked. */
async function read(path: string): Promise<[number, string | null]> {
  await site.due();
  const response = await site.read(path);
  await response.body?.cancel();
  return [response.status, response.headers.get('docker-content-digest')];
}

/** As if the last job had ended longer ago than its result counts without a signature. */
const later = () =>
  site.sql.query(`UPDATE staging_jobs SET updated_at = updated_at - interval '2 minutes'`);

it('goes on serving the last image that was signed, until the next one is', async () => {
  const { digest: first } = await site.publish('lib/moves', '1', 'clean');
  await sign('lib/moves', first);
  expect(await read('up/lib/moves/manifests/1')).toEqual([200, first]);
  const { digest: next } = await site.publish('lib/moves', '1', 'clean');
  const held = async () => [await read('up/lib/moves/manifests/1'), await statusesOf('lib/moves')];
  await expect.poll(held).toEqual([
    [200, first],
    ['pushed', 'failed'],
  ]);
  await sign('lib/moves', next);
  await later();
  await expect.poll(() => read('up/lib/moves/manifests/1')).toEqual([200, next]);
});

it('refuses what is not signed with the name of who should, and serves it once it is signed', async () => {
  const { digest } = await site.publish('lib/late', '1', 'clean');
  const refused = await site.read('up/lib/late/manifests/1');
  expect(refused.status).toBe(403);
  expect(await messageOf(refused)).toContain('it lacks a signature by release: release: none');
  await sign('lib/late', digest);
  await later();
  await expect.poll(() => read('up/lib/late/manifests/1')).toEqual([200, digest]);
});
