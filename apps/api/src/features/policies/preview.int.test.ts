/** What another policy would change, over images of three folders. */

import type { ScanReport } from '@portcullis/domain';
import { json, refusal } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let root: Client;
/** Blocks critical findings only, as `prod` uses it. */
let lax: string;

const CRITICAL_AND_HIGH = { rules: [{ severities: ['CRITICAL', 'HIGH'] }] };
const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const IMAGES = { critical: digestOf('a'), high: digestOf('b'), clean: digestOf('c') };
const UNSCANNED = digestOf('d');
const CHART = digestOf('e');

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  root = await api.as('root');
  const policy = { name: 'lax', rules: [{ severities: ['CRITICAL'] }] };
  lax = (await json(root.post('/api/policies', policy))).id;
  for (const name of ['prod', 'team', 'empty']) {
    const { id } = await api.store.folders.insertFolder({ name });
    if (name === 'prod') await api.store.folders.update(id, { policyId: lax });
  }
  await scanned(IMAGES.critical, [{ id: 'CVE-2026-1', severity: 'CRITICAL', package: 'openssl' }]);
  await scanned(IMAGES.high, [{ id: 'CVE-2026-2', severity: 'HIGH', package: 'zlib' }]);
  await scanned(IMAGES.clean, []);
  for (const folder of ['prod', 'team'])
    for (const [name, digest] of Object.entries(IMAGES)) await holds(`${folder}/${name}`, digest);
  await holds('prod/new', UNSCANNED);
  await holds('prod/chart', CHART, 'application/vnd.cncf.helm.config.v1+json');
});
afterAll(() => api?.stop());

async function scanned(
  digest: string,
  findings: Parameters<typeof sampleReport>[0],
): Promise<void> {
  const report: ScanReport = sampleReport(findings);
  await api.store.reports.record({ digest, report, scannedAt: new Date() });
}

async function holds(repository: string, digest: string, artifactType: string | null = null) {
  const manifest = {
    digest,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType,
    subject: null,
    size: 1,
    contents: [],
    platforms: artifactType === null ? ['linux/amd64'] : [],
  };
  for (const tag of ['1', 'latest'])
    await api.store.images.record({
      repository,
      tag,
      digest,
      manifests: [manifest],
      at: new Date(),
    });
}

const preview = (body: object) => root.post('/api/policies/preview', body);

describe('a preview', () => {
  it.each<[string, () => object, object]>([
    [
      'of a stricter change counts the folders of the policy',
      () => ({ policy_id: lax, draft: CRITICAL_AND_HIGH }),
      { images: 5, judged: 5, newly_blocked: 1, newly_allowed: 0, unscanned: 1, folders: ['prod'] },
    ],
    [
      'of a laxer draft counts all folders',
      () => ({ draft: { rules: [] } }),
      { images: 8, newly_blocked: 0, newly_allowed: 3, folders: ['prod', 'team'] },
    ],
    [
      'for a folder counts that one',
      () => ({ folder: 'team', draft: { rules: [] } }),
      { images: 3, newly_allowed: 2, folders: ['team'] },
    ],
    [
      'of another policy for a folder',
      () => ({ folder: 'team', policy_id: lax }),
      { images: 3, newly_blocked: 0, newly_allowed: 1, folders: ['team'] },
    ],
    [
      'of the default policy for a folder',
      () => ({ folder: 'prod', policy_id: null }),
      { images: 5, newly_blocked: 1, newly_allowed: 0, folders: ['prod'] },
    ],
    [
      'of a change of the default policy counts the folders without another',
      () => ({ policy_id: null, draft: { rules: [] } }),
      { images: 3, newly_allowed: 2, folders: ['team'] },
    ],
    [
      'of artifacts counts them without a report',
      () => ({
        folder: 'prod',
        draft: { rules: [{ severities: ['CRITICAL'] }], artifacts: 'block' },
      }),
      { newly_blocked: 1, folders: ['prod'] },
    ],
    [
      'of a folder without images',
      () => ({ folder: 'empty', draft: CRITICAL_AND_HIGH }),
      { images: 0, judged: 0, newly_blocked: 0, folders: [] },
    ],
    [
      'of warnings blocks nothing',
      () => ({ folder: 'team', draft: { rules: [{ severities: ['CRITICAL'], action: 'warn' }] } }),
      { newly_blocked: 0, newly_allowed: 2 },
    ],
  ])('%s', async (_, body, expected) => {
    const { folders, ...found } = await json(preview(body()));
    const named = folders.map(({ folder }: { folder: string }) => folder);
    expect({ ...found, folders: named }).toMatchObject({ complete: true, ...expected });
  });

  it('names the images with what blocks them', async () => {
    const { items } = await json(preview({ policy_id: lax, draft: CRITICAL_AND_HIGH }));
    expect(items).toEqual([
      {
        change: 'blocked',
        folder: 'prod',
        repository: 'prod/high',
        digest: IMAGES.high,
        tags: ['1', 'latest'],
        code: 'VULN_BLOCKED',
        findings: [expect.objectContaining({ vulnerability: 'CVE-2026-2', package: 'zlib' })],
        findings_total: 1,
      },
    ]);
  });

  it('says which feeds its rules miss, and takes the strict side', async () => {
    const draft = { rules: [{ severities: ['HIGH'], kev: 'only', min_epss: 0.9 }] };
    const found = await json(preview({ policy_id: lax, draft }));
    expect(found).toMatchObject({ missing_feeds: ['kev', 'epss'], newly_blocked: 1 });
  });

  it('saves nothing', async () => {
    await preview({ policy_id: lax, draft: { rules: [], grace_days: 0 } });
    expect(await json(root.get(`/api/policies/${lax}`))).toMatchObject({
      version: 1,
      grace_days: 7,
      used_by: { folders: ['prod'] },
    });
  });

  it.each<[string, object, string, string]>([
    ['neither a draft nor a policy', { folder: 'prod' }, 'draft', 'REQUIRED'],
    ['an unknown folder', { folder: 'missing', draft: { rules: [] } }, 'folder', 'FOLDER_UNKNOWN'],
    [
      'an unknown policy',
      { folder: 'prod', policy_id: '00000000-0000-7000-8000-000000000000' },
      'policy_id',
      'POLICY_UNKNOWN',
    ],
    [
      'an invalid rule',
      { draft: { rules: [{ severities: [] }] } },
      'draft.rules.0.severities',
      'TOO_FEW',
    ],
  ])('with %s names the field', async (_, body, path, code) => {
    const reply = await preview(body);
    expect(reply.status).toBe(422);
    expect((await refusal(reply)).errors).toMatchObject([{ path, code }]);
  });

  it('is for administrators', async () => {
    await api.account('ann');
    const ann = await api.as('ann');
    const sent = ann.post('/api/policies/preview', { draft: { rules: [] } });
    expect(await codeOf(sent)).toEqual([403, 'ADMIN_ONLY']);
  });
});
