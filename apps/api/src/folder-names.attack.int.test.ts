/** No answer tells an account whether a folder exists in which it has no rights. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, startApi, type TestApi } from './api.fixture.ts';

let api: TestApi;
let eve: Client;
let job: string;

const FLAGS = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };

beforeAll(async () => {
  api = await startApi();
  const id = await api.account('eve');
  await api.grant(id, 'hers', FLAGS);
  await api.grant(await api.account('ann'), 'secret', FLAGS);
  eve = await api.as('eve');
  const source = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host: 'here' } as const;
  const inserted = await api.store.jobs.insert({ ownerId: id, image: 'hers/a', tag: '1', source });
  job = inserted.id;
  await api.store.jobs.update(job, (row) => ({
    ...row,
    ...{ status: 'staged', verdict: 'clean', digest: `sha256:${'a'.repeat(64)}`, size: 1 },
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
  }));
});
afterAll(() => api?.stop());

const push = (folder: string, target_image = 'app') => ({
  ...{ job_id: job, target_image, target_tag: '1', folder },
});
const transfer = (dest_folder: string, repository = 'hers/a') => ({
  ...{ images: [{ repository, tag: '1' }], source_registry_id: LOCAL_REGISTRY_ID, dest_folder },
});
const waiver = (folder: string) => ({
  ...{ folder, vulnerability: 'CVE-2026-0001', reason: 'because of it' },
  ...{ status: 'accepted', expires_at: soon() },
});
const soon = () => new Date(Date.now() + 86_400_000).toISOString();
const statement = {
  vulnerability: { name: 'CVE-2026-0001' },
  ...{ status: 'not_affected', justification: 'component_not_present' },
  products: [{ '@id': `sha256:${'a'.repeat(64)}` }],
};
const vex = {
  ...{ '@context': 'https://openvex.dev/ns/v0.2.0', '@id': 'urn:x', author: 'x', version: 1 },
  ...{ timestamp: '2026-01-01T00:00:00Z', statements: [statement] },
};
const image = (folder: string) => `repository=${folder}/app`;
const images = `/api/images/${LOCAL_REGISTRY_ID}`;

const DOORS: [string, (folder: string) => Promise<Response>][] = [
  ['the preview of a push', (f) => eve.get(`/api/staging/push/preview?${query(push(f))}`)],
  ['that of a push to a path', (f) => eve.get(`/api/staging/push/preview?${inPath(f)}`)],
  ['that with spaces', (f) => eve.get(`/api/staging/push/preview?${query(push(` ${f} `))}`)],
  ['a push', (f) => eve.post('/api/staging/push', push(f))],
  ['a pull', (f) => eve.post('/api/staging/pull', pulled(f))],
  ['a transfer', (f) => eve.post('/api/transfer', transfer(f))],
  ['a transfer from it', (f) => eve.post('/api/transfer', transfer('hers', `${f}/a`))],
  ['a plan', (f) => eve.post('/api/transfer/plan', transfer(f))],
  ['a schedule', (f) => eve.post('/api/transfer/schedules', schedule(f))],
  ['a waiver', (f) => eve.post('/api/waivers', waiver(f))],
  ['an import of OpenVEX', (f) => eve.post(`/api/waivers/vex?folder=${f}`, vex)],
  ['an export of OpenVEX', (f) => eve.get(`/api/waivers/vex?folder=${f}`)],
  ['that of an image', (f) => eve.get(`/api/waivers/vex?${image(f)}&reference=1`)],
  ['the waivers', (f) => eve.get(`/api/waivers?folder=${f}`)],
  ['an explanation', (f) => eve.get(`/api/gate/explain?${image(f)}&reference=1`)],
  ['that of a push', (f) => eve.get(`/api/gate/explain?${image(f)}&reference=1&door=push`)],
  ['that of a copy', (f) => eve.get(`/api/gate/explain?repository=hers/a&reference=1&from=${f}/a`)],
  ['its images', (f) => eve.get(`${images}?folder=${f}`)],
  ['the tree', (f) => eve.get(`${images}/tree?path=${f}`)],
  ['tags', (f) => eve.get(`${images}/tags?${image(f)}`)],
  ['a tag', (f) => eve.get(`${images}/tags/detail?${image(f)}&tag=1`)],
  ['its packages', (f) => eve.get(`${images}/tags/packages?${image(f)}&tag=1`)],
  ['a deletion', (f) => eve.post(`${images}/tags/delete?${image(f)}`, { tags: ['1'] })],
  ['a copy', (f) => eve.post('/api/images/copy', copied('hers/a', `${f}/a`))],
  ['a copy from it', (f) => eve.post('/api/images/copy', copied(`${f}/a`, 'hers/b'))],
  ['its overview', (f) => eve.get(`/api/folders/${f}/overview`)],
  ['its page of images', (f) => eve.get(`/api/folders/${f}/images`)],
  ['its trend', (f) => eve.get(`/api/folders/${f}/trend`)],
  ['its gate', (f) => eve.get(`/api/folders/${f}/gate`)],
  ['its retention', (f) => eve.get(`/api/folders/${f}/retention`)],
  ['vulnerabilities', (f) => eve.get(`/api/vulnerabilities?folder=${f}`)],
  ['a search', (f) => eve.get(`/api/search?q=${f}`)],
  ['its tags over /v2', (f) => basic(`/v2/${f}/app/tags/list`)],
  ['its manifests over /v2', (f) => basic(`/v2/${f}/app/manifests/1`)],
];

const query = (fields: object) => new URLSearchParams(fields as Record<string, string>);
const inPath = (folder: string) => {
  const { folder: _, ...fields } = push(folder, `${folder}/app`);
  return query(fields);
};
const pulled = (folder: string) => ({
  ...{ image: `${folder}/app`, tag: '1', source_registry_id: LOCAL_REGISTRY_ID },
});
const schedule = (folder: string) => ({ name: 'nightly', cron: '0 3 * * *', ...transfer(folder) });
const copied = (source_repository: string, dest_repository: string) => ({
  ...{ source_repository, source_tag: '1', dest_repository },
});
function basic(path: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from('eve:pass-of-eve').toString('base64')}`;
  return fetch(`${api.url}${path}`, { headers: { authorization } });
}

/** Without the name that was asked for, and what differs at each request. */
async function said(folder: string, response: Response): Promise<string> {
  const text = await response.text();
  const told = text
    .replaceAll(folder, '…')
    .replaceAll(/"(?:request_id|instance)":"[^"]*"/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
  return `${response.status} ${told}`;
}

it.each(DOORS)(
  '%s answers alike for a folder that exists and one that does not',
  async (_, ask) => {
    const exists = await said('secret', await ask('secret'));
    expect(exists).toBe(await said('absent', await ask('absent')));
    // The request itself is right: what is refused is the folder.
    expect(exists).not.toMatch(/^5|VALIDATION_FAILED/);
  },
);

it('an account with rights in the root folder writes to no folder that it named by mistake', async () => {
  const id = await api.account('rooty');
  await api.grant(id, '__root__', FLAGS);
  const rooty = await api.as('rooty');
  for (const folder of ['secret', 'absent']) {
    const plan = await rooty.post('/api/transfer', transfer(folder, 'app'));
    expect([folder, plan.status, (await plan.json()).code]).toEqual([
      folder,
      403,
      'FOLDER_FORBIDDEN',
    ]);
  }
});
