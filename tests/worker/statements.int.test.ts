/**
 * Signed statements about tagged images: written by a real worker beside images that were pushed
 * over `/v2`, withdrawn when a standing changes, and verified as any reader verifies them.
 */
import { PREDICATE_TYPES, STATEMENT_KINDS, type StatementKind } from '@portcullis/domain';
import { unlessMissing } from '@portcullis/errors';
import { json, sha256 } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import {
  analysed,
  api,
  attestedByOthers,
  harness,
  type Judged,
  judged,
  listed,
  looked,
  PUBLIC_URL,
  put,
  repositoryOf,
  result,
  row,
  said,
  scanned,
  sql,
  startStated,
  underTag,
  verified,
} from './statements.fixture.ts';

startStated();

it('an image that passes is stated to, and any reader with the public key verifies it', async () => {
  const image = await judged();
  await expect.poll(() => said(image, 'vulns')).not.toBeNull();
  await expect.poll(() => result(image)).toBe('PASSED');
  expect(await said(image)).toMatchObject({
    subject: [
      { name: `images.example.com/${image.repository}`, digest: { sha256: image.digest.slice(7) } },
    ],
    predicate: {
      verifier: { id: PUBLIC_URL },
      policy: { uri: expect.stringContaining(`${PUBLIC_URL}#policy=default&version=`) },
    },
  });
  expect(await verified(image)).toContain(PREDICATE_TYPES.verdict);
  const current = await harness.store.signingKeys.current();
  const query = new URLSearchParams({ repository: image.repository, reference: '1' });
  const boss = await api.as('boss');
  expect(await json(boss.get(`/api/images/__local__/statements?${query}`))).toMatchObject({
    digest: image.digest,
    statements: [
      {
        ...{ kind: 'verdict', predicate_type: PREDICATE_TYPES.verdict, key_id: current?.id },
        ...{ digest: (await said(image))?.manifest, left_out: null, error: null },
      },
      { kind: 'vulns' },
    ],
  });
});

it('a standing that changes withdraws the statement and writes another one', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const before = (await said(image))?.manifest;
  await scanned(image, blockedReport());
  await expect.poll(() => result(image)).toBe('FAILED');
  await expect
    .poll(() =>
      repositoryOf(image.repository)
        .manifest(before ?? '')
        .catch(({ kind }) => kind),
    )
    .toBe('not_found');
  expect((await said(image))?.predicate).toMatchObject({ code: 'VULN_BLOCKED' });
});

describe('left alone is', () => {
  const CASES: [string, () => Promise<Judged>, StatementKind[]][] = [
    ['an image of a folder that does not ask', () => judged('silent'), []],
    [
      'an image that no scan judged',
      async () => {
        const image = await judged();
        await sql.query('DELETE FROM image_reports WHERE digest = $1', [image.digest]);
        return image;
      },
      [],
    ],
    [
      'the scan of what the scanner could not judge, beside the verdict that blocks it',
      () => judged('stated', { ...cleanReport(), coverage: 'none', notes: ['none'] }),
      ['verdict'],
    ],
    [
      'what a scan found that judged a part alone, and its list of packages',
      async () => {
        const partial = { ...blockedReport(), coverage: 'partial' as const, notes: ['a'] };
        const image = await judged('stated', partial);
        await analysed(image, ['curl']);
        return image;
      },
      ['verdict'],
    ],
  ];

  it(`${CASES.map(([name]) => name).join('; ')}`, async () => {
    const images = await Promise.all(CASES.map(([, make]) => make()));
    await looked();
    for (const [at, image] of images.entries()) {
      const [name, , stated] = CASES[at] ?? ['', null, []];
      const kinds = async () => {
        const lists = await Promise.all(STATEMENT_KINDS.map((kind) => listed(image, kind)));
        return STATEMENT_KINDS.filter((_, kind) => (lists[kind]?.length ?? 0) > 0);
      };
      await expect.poll(kinds, { message: name }).toEqual(stated);
    }
  });
});

it('a folder that asks no longer, and a tag that goes, withdraw what was stated', async () => {
  const image = await judged('switched');
  await expect.poll(() => result(image)).toBe('PASSED');
  const boss = await api.as('boss');
  await json(boss.patch('/api/folders/switched', { statements: 'off' }));
  await expect.poll(() => result(image)).toBeNull();
  await expect.poll(() => row(image)).toBeUndefined();
  const tagged = await judged();
  await expect.poll(() => result(tagged)).toBe('PASSED');
  await harness.store.images.removeTag(tagged.repository, '1');
  await expect.poll(() => row(tagged)).toBeUndefined();
});

it('a statement is no image, needs no room of a quota, and is recorded', async () => {
  const boss = await api.as('boss');
  const image = await judged();
  await json(boss.patch('/api/folders/stated', { quota_bytes: 1 }));
  await expect.poll(() => result(image)).toBe('PASSED');
  await json(boss.patch('/api/folders/stated', { quota_bytes: null }));
  const { items } = await repositoryOf(image.repository).tags();
  expect(items).toEqual(['1']);
  const { rowCount } = await sql.query(
    `SELECT FROM audit_outbox
      WHERE body ->> 'event' = 'statement.signed' AND body -> 'resource' ->> 'id' = $1
        AND body -> 'detail' ->> 'statement' = 'verdict'`,
    [image.digest],
  );
  expect(rowCount).toBe(1);
});

describe('of a scan that judged all packages', () => {
  const found = async (image: Judged) =>
    (await said(image, 'vulns'))?.predicate.scanner.result.Results.flatMap(
      ({ Vulnerabilities }: { Vulnerabilities: { VulnerabilityID: string }[] }) =>
        Vulnerabilities.map((each) => each.VulnerabilityID),
    );

  it('what it found is stated, and stated again only where it is another', async () => {
    const image = await judged();
    await expect.poll(() => found(image)).toEqual([]);
    const first = await said(image, 'vulns');
    await scanned(image, cleanReport());
    await looked();
    expect((await said(image, 'vulns'))?.manifest).toBe(first?.manifest);
    await scanned(image, blockedReport());
    await expect.poll(() => found(image)).toEqual(['CVE-2026-1234']);
  });

  it('its list of packages is stated, also after what it was made from is gone', async () => {
    const image = await judged();
    await analysed(image, ['curl', 'bash']);
    await expect.poll(() => said(image, 'sbom')).not.toBeNull();
    const stated = await said(image, 'sbom');
    expect(stated.predicate).toMatchObject({
      bomFormat: 'CycloneDX',
      components: [
        { name: 'curl', purl: 'pkg:deb/debian/curl@8?distro=debian-12.5' },
        { name: 'bash', purl: 'pkg:deb/debian/bash@8?distro=debian-12.5' },
      ],
    });
    await sql.query('DELETE FROM image_analyses WHERE digest = $1', [image.digest]);
    await scanned(image, blockedReport());
    await expect.poll(() => found(image)).toEqual(['CVE-2026-1234']);
    expect((await said(image, 'sbom'))?.manifest).toBe(stated.manifest);
  });
});

describe("under cosign's tag of attestations", () => {
  it('a verdict is there as well, changes with the standing, and goes with it', async () => {
    const image = await judged('tagged');
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 0 });
    await scanned(image, blockedReport());
    await expect.poll(() => underTag(image)).toEqual({ results: ['FAILED'], others: 0 });
    await harness.store.images.removeTag(image.repository, '1');
    await expect.poll(() => underTag(image)).toBeNull();
  });

  it('what others attested there stays', async () => {
    const image = await judged('tagged');
    await expect.poll(() => underTag(image)).toEqual({ results: ['PASSED'], others: 0 });
    await attestedByOthers(image);
    await scanned(image, blockedReport());
    await expect.poll(() => underTag(image)).toEqual({ results: ['FAILED'], others: 1 });
    await harness.store.images.removeTag(image.repository, '1');
    await expect.poll(() => underTag(image)).toEqual({ results: [], others: 1 });
  });
});

it('a statement that was withdrawn and is pushed back is left behind, also in another manifest', async () => {
  const image = await judged();
  await expect.poll(() => result(image)).toBe('PASSED');
  const repository = repositoryOf(image.repository);
  const { bytes } = await repository.manifest((await said(image))?.manifest ?? '');
  await scanned(image, blockedReport());
  await expect.poll(() => result(image)).toBe('FAILED');
  const before = await listed(image, 'verdict');
  const { layers, ...rest } = JSON.parse(Buffer.from(bytes).toString());
  const other = { ...rest, layers: [{ ...layers[0], mediaType: 'text/plain' }] };
  for (const body of [bytes, Buffer.from(JSON.stringify({ ...other, subject: undefined }))]) {
    const digest = sha256(body);
    const answer = await put(image.repository, digest, body);
    expect([answer.status, answer.headers.get('docker-content-digest')]).toEqual([201, digest]);
    expect(answer.headers.get('warning')).toContain('are left behind');
    const found = await unlessMissing(repository.manifest(digest));
    expect(found).toBeNull();
  }
  expect(await listed(image, 'verdict')).toEqual(before);
  const refused = await put(image.repository, 'kept', bytes);
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { errors: [{ code: 'DENIED', message: expect.stringContaining('alone states') }] },
  ]);
});
