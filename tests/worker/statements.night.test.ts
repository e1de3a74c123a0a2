/** Statements that are renewed, copied, of other keys, of a killed worker, or changed by others. */
import { generateSigningKey, openSigningKey } from '@portcullis/attest';
import { LOCAL_REGISTRY_ID, PREDICATE_TYPES } from '@portcullis/domain';
import { unlessMissing } from '@portcullis/errors';
import { copy } from '@portcullis/oci';
import { json } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import {
  AUTHORIZATION,
  analysed,
  api,
  attestedByOthers,
  harness,
  type Judged,
  judged,
  listed,
  looked,
  number,
  put,
  repositoryOf,
  result,
  row,
  said,
  scanned,
  sql,
  startStated,
  tagOf,
  underTag,
  verified,
} from './statements.fixture.ts';

startStated();

const HERE = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;

const NO_SCAN = { vulnScanEnabled: false, vulnSeverities: null };

/** By a job, from a repository here. */
async function pulled({ repository: image }: Judged) {
  const { id } = await harness.submit({
    ...{ image, tag: '1', withReferrers: true, host: 'here', source: HERE, overrides: NO_SCAN },
  });
  return harness.settled(id);
}

it('nothing changes, nothing is written; a week later it is signed again', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const first = await said(image);
  await scanned(image, cleanReport());
  await looked();
  expect((await said(image))?.manifest).toBe(first?.manifest);
  await sql.query(
    `UPDATE image_statements SET signed_at = now() - interval '8 days'
                    WHERE digest = $1`,
    [image.digest],
  );
  await expect.poll(async () => (await said(image))?.manifest).not.toBe(first?.manifest);
  expect(await result(image)).toBe('PASSED');
});

it('what a killed worker was writing is removed by the next one', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const stray = await repositoryOf(image.repository).manifest((await said(image))?.manifest ?? '');
  const { manifest } = await row(image);
  await sql.query(
    `UPDATE image_statements SET leftover = ARRAY[manifest], manifest = NULL, says = NULL
      WHERE digest = $1 AND kind = 'verdict'`,
    [image.digest],
  );
  await expect.poll(async () => (await row(image))?.manifest ?? manifest).not.toBe(manifest);
  expect(stray.descriptor.digest).toBe(manifest);
  await expect.poll(() => result(image)).toBe('PASSED');
});

it('another key signs all of them again', async () => {
  const image = await judged();
  await expect.poll(() => verified(image).then((found) => found.length)).toBe(2);
  const privateKey = generateSigningKey();
  const { id, publicKey } = openSigningKey(privateKey);
  await harness.store.signingKeys.rotate({ id, publicKey, privateKey }, { days: 0 });
  const both = [PREDICATE_TYPES.vulns, PREDICATE_TYPES.verdict];
  await expect.poll(async () => (await verified(image)).sort()).toEqual(both);
});

describe('of a scan that judged all packages', () => {
  it('a list that is too large for readers is left out, and not made at each look', async () => {
    const image = await judged();
    const long = 'p'.repeat(200);
    await analysed(
      image,
      Array.from({ length: 12_000 }, (_, at) => `${long}${at}`),
    );
    await expect.poll(() => row(image, 'sbom')).toMatchObject({ left_out: 'too_large' });
    const { attempts } = await row(image, 'sbom');
    await looked();
    expect(await row(image, 'sbom')).toMatchObject({ attempts, manifest: null, error: null });
  });
});

it('a push of a job is recorded, longer than the job', async () => {
  const from = await judged('silent');
  const { id } = await pulled(from);
  await harness.push(id, { repository: 'stated/promoted', tag: '2' });
  expect((await harness.settled(id)).status).toBe('pushed');
  const to = { ...from, repository: 'stated/promoted' };
  await expect.poll(() => said(to, 'promotion')).not.toBeNull();
  const stated = await said(to, 'promotion');
  expect(stated.predicate).toMatchObject({
    source: { uri: `here/${from.repository}:1`, digest: { sha256: from.digest.slice(7) } },
    destination: { uri: 'images.example.com/stated/promoted:2' },
    ...{ requestedBy: 'root', approvedBy: [], job: id },
  });
  await sql.query('DELETE FROM staging_jobs WHERE id = $1', [id]);
  await looked();
  expect((await said(to, 'promotion'))?.manifest).toBe(stated.manifest);
});

describe('a copy of an image in another folder', () => {
  it.each<[string, (from: Judged, to: string) => Promise<unknown>]>([
    [
      'that was copied here',
      async (from, to) =>
        json(
          (await api.as('boss')).post('/api/images/copy', {
            ...{ source_repository: from.repository, source_tag: '1', dest_repository: to },
          }),
        ),
    ],
    [
      'that a job pushed',
      async (from, to) => {
        const { id } = await pulled(from);
        await harness.push(id, { repository: to, tag: '1' });
        expect((await harness.settled(id)).status).toBe('pushed');
      },
    ],
  ])('%s has no statement of this one, and what others attested', async (_, make) => {
    const from = await judged('tagged', blockedReport());
    await expect.poll(() => underTag(from)).toEqual({ results: ['FAILED'], others: 0 });
    await attestedByOthers(from);
    await scanned(from, cleanReport());
    await expect.poll(() => underTag(from)).toEqual({ results: ['PASSED'], others: 1 });
    const to = { ...from, repository: `silent/copy-${number}` };
    await make(from, to.repository);
    expect(await listed(to, 'verdict')).toEqual([]);
    expect(await underTag(to)).toEqual({ results: [], others: 1 });
  });
});

describe('what a client pushes of ours over /v2 is left behind', () => {
  it("under cosign's tag, where what others attested is stored", async () => {
    const image = await judged('tagged');
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 0 });
    await attestedByOthers(image);
    const repository = repositoryOf(image.repository);
    await scanned(image, blockedReport());
    await expect.poll(() => underTag(image)).toEqual({ results: ['FAILED'], others: 1 });
    const mixed = await repository.manifest(tagOf(image.digest));
    await scanned(image, cleanReport());
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 1 });
    const answer = await put(image.repository, tagOf(image.digest), mixed.bytes);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('docker-content-digest')).toBe(mixed.descriptor.digest);
    expect(answer.headers.get('warning')).toContain('are left behind');
    expect(await underTag(image)).not.toMatchObject({ results: ['FAILED'] });
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 1 });
  });

  it('by a copy of an image with all that refers to it, which goes on', async () => {
    const from = await judged('tagged');
    await expect.poll(() => underTag(from)).toEqual({ results: ['PASSED'], others: 0 });
    await attestedByOthers(from);
    await expect.poll(() => underTag(from)).toEqual({ results: ['PASSED'], others: 1 });
    // The one before it is removed, too: the copy is of what stays.
    await expect.poll(async () => (await row(from)).leftover).toEqual([]);
    const to = { ...from, repository: `silent/copied-${number}` };
    const { leftBehind } = await copy(
      ...([repositoryOf(from.repository), from.digest, repositoryOf(to.repository)] as const),
      { includeReferrers: true, targetTag: '1' },
    );
    expect(leftBehind).toEqual([]);
    expect(await listed(to, 'verdict')).toEqual([]);
    expect(await underTag(to)).toEqual({ results: [], others: 1 });
  });
});

it('a statement that a client removes is stored again', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const { manifest } = (await said(image)) ?? {};
  const removed = await fetch(`${api.url}/v2/${image.repository}/manifests/${manifest}`, {
    method: 'DELETE',
    headers: { authorization: `Basic ${btoa('boss:pass-of-boss')}` },
  });
  expect(removed.status).toBe(202);
  await expect.poll(() => result(image)).toBe('PASSED');
  expect((await said(image))?.manifest).not.toBe(manifest);
});

it('garbage collection keeps what is stated of an image as long as the image, and no longer', async () => {
  const [kept, left] = await Promise.all([judged('tagged'), judged('tagged')]);
  for (const each of [kept, left])
    await expect.poll(() => underTag(each)).toEqual({ results: ['PASSED'], others: 0 });
  const repository = repositoryOf(left.repository);
  const { bytes } = await repository.manifest((await said(left))?.manifest ?? '');
  await repository.removeTag('1');
  await expect.poll(() => row(left)).toBeUndefined();
  const { maintenance } = harness.store;
  const options = { deleteUntagged: true };
  await maintenance.request({ kind: 'gc', options, requestedBy: 'root' });
  await expect.poll(async () => (await maintenance.latest('gc'))?.state).toBe('done');
  expect(await verified(kept)).toContain(PREDICATE_TYPES.verdict);
  expect(await underTag(kept)).toEqual({ results: ['PASSED'], others: 0 });
  const [layer] = JSON.parse(Buffer.from(bytes).toString()).layers;
  const blob = `${api.url}/v2/${left.repository}/blobs/${layer.digest}`;
  const { status } = await fetch(blob, { headers: { authorization: AUTHORIZATION } });
  expect(status).toBe(404);
  expect(await unlessMissing(repository.manifest(left.digest))).toBeNull();
});
