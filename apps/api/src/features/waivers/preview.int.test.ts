/** What a waiver covers today: the images and findings of its preview. */
import { json } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let clients: Record<'root' | 'dev' | 'rita' | 'out', Client>;
const DIGEST = `sha256:${'a'.repeat(64)}`;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.grant(await api.account('dev'), 'team', { canPull: true, canPush: true });
  const rita = await api.account('rita', { canBypassVulnBlock: true });
  await api.grant(rita, 'team', { canPull: true });
  await api.account('out');
  await api.store.folders.insertFolder({ name: 'other' });
  const [root, dev, reviewer, out] = await Promise.all(
    ['root', 'dev', 'rita', 'out'].map((name) => api.as(name)),
  );
  if (!root || !dev || !reviewer || !out) throw new Error('four clients are expected');
  clients = { root, dev, rita: reviewer, out };
});
afterAll(() => api?.stop());

describe('a preview', () => {
  beforeAll(async () => {
    for (const repository of ['team/app', 'team/web', 'other/app']) await holds(repository);
    const report = sampleReport([
      { id: 'CVE-2026-7', package: 'openssl' },
      { id: 'CVE-2026-7', package: 'libssl' },
      { id: 'CVE-2026-8', package: 'x' },
    ]);
    await api.store.reports.record({ digest: DIGEST, report, scannedAt: new Date() });
  });

  it.each<[string, keyof typeof clients, object, number, number]>([
    ['of a vulnerability', 'root', {}, 3, 6],
    ['of a package', 'root', { package: 'openssl' }, 3, 3],
    ['of a pattern', 'root', { repository: '*/app' }, 2, 4],
    ['of a folder', 'root', { folder: 'team' }, 2, 4],
    ['of a digest', 'root', { digest: DIGEST }, 3, 6],
    ['of another digest', 'root', { digest: `sha256:${'b'.repeat(64)}` }, 0, 0],
    ['in the folders that an account may pull from', 'dev', {}, 2, 4],
    ['of an account without grants', 'out', {}, 0, 0],
  ])('%s', async (_, name, scope, images, findings) => {
    const body = { vulnerability: 'CVE-2026-7', ...scope };
    const found = await json(clients[name].post('/api/waivers/preview', body));
    expect(found).toMatchObject({ images, findings });
    expect(found.items).toHaveLength(findings);
  });

  it('for a reviewer counts all folders and lists those it may pull from', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const wanted = { vulnerability: 'CVE-2026-7', status: 'fix_planned', reason: 'soon' };
    const { id } = await json(clients.root.post('/api/waivers', { ...wanted, expires_at }));
    const found = await json(clients.rita.get(`/api/waivers/${id}/preview`));
    expect(found).toMatchObject({ images: 3, findings: 6 });
    expect(new Set(found.items.map(({ folder }: { folder: string }) => folder))).toEqual(
      new Set(['team']),
    );
  });
});

async function holds(repository: string): Promise<void> {
  const manifest = {
    digest: DIGEST,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: null,
    subject: null,
    size: 1,
    contents: [],
    platforms: [],
  };
  await api.store.images.record({
    repository,
    tag: '1',
    digest: DIGEST,
    manifests: [manifest],
    at: new Date(),
  });
}
