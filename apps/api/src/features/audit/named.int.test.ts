/** C6: an audit event names what was touched and where, also when it was denied or failed. */
import type { AuditEvent } from '@portcullis/events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, published, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let root: Client;
let ann: Client;
let annsJob: string;
let saved: string;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  const annId = await api.account('ann');
  await api.grant(annId, 'team', { canPull: true, canPush: true, canPullExternal: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  [root, ann] = [await api.as('root'), await api.as('ann')];
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const job = await api.store.jobs.insert({
    ownerId: annId,
    image: 'library/alpine',
    tag: '3',
    source,
  });
  annsJob = job.id;
  await api.store.jobs.update(job.id, stagedAs('clean'));
  saved = (await api.store.registries.insert({ name: 'harbor', host: 'harbor.example' })).id;
});
afterAll(() => api?.stop());

async function newest(event: string): Promise<AuditEvent> {
  const found = (await published(api)).find((each) => each.event === event);
  if (!found) throw new Error(`no ${event}`);
  return found;
}

it.each<[string, string, () => Promise<Response>, () => object]>([
  [
    'a push that is denied says where it would have gone',
    'staging.push',
    () => ann.post('/api/staging/push', push({ folder: 'secret' })),
    () => ({
      outcome: 'denied',
      resource: { kind: 'staging_job', name: 'library/alpine:3' },
      detail: { folder: 'secret', destination: expect.stringMatching(/\/secret\/app:1$/) },
    }),
  ],
  [
    'a push to another registry that is denied says to which',
    'staging.push',
    () => ann.post('/api/staging/push', push({ external_registry_id: saved })),
    () => ({ outcome: 'denied', detail: { registry: saved, host: 'harbor.example' } }),
  ],
  [
    'a plan says from where to where',
    'transfer.plan',
    () => ann.post('/api/transfer/plan', transfer('secret')),
    () => ({
      resource: { kind: 'transfer', name: `${saved} to __local__/secret` },
      detail: { images: 1, source: saved, destination: '__local__', repositories: ['lib/app'] },
    }),
  ],
  [
    'a transfer that is denied says from where to where',
    'transfer.request',
    () => ann.post('/api/transfer', transfer('secret')),
    () => ({
      outcome: 'denied',
      resource: { kind: 'transfer', name: `${saved} to __local__/secret` },
    }),
  ],
  [
    'a folder whose name is taken is named',
    'folder.create',
    () => root.post('/api/folders', { name: 'secret' }),
    () => ({ outcome: 'failure', status: 409, resource: { kind: 'folder', name: 'secret' } }),
  ],
  [
    'a folder whose name is not valid is named',
    'folder.create',
    () => root.post('/api/folders', { name: 'No Good' }),
    () => ({ outcome: 'failure', status: 422, resource: { kind: 'folder', name: 'No Good' } }),
  ],
  [
    'an account that can not be made is named',
    'user.create',
    () => root.post('/api/auth/users', { username: 'ann', password: 'a long password of 1' }),
    () => ({ outcome: 'failure', status: 409, resource: { kind: 'user', name: 'ann' } }),
  ],
  [
    'a test of a saved registry names it',
    'registry.test',
    () => root.post(`/api/registries/${saved}/test`),
    () => ({ resource: { kind: 'registry', name: 'harbor' }, detail: { host: 'harbor.example' } }),
  ],
  [
    'a registry that is removed is named',
    'registry.delete',
    () => root.delete(`/api/registries/${saved}`),
    () => ({ outcome: 'success', resource: { kind: 'registry', name: 'harbor' } }),
  ],
  [
    'a job that is deleted is named',
    'staging.delete',
    () => ann.delete(`/api/staging/jobs/${annsJob}`),
    () => ({ outcome: 'success', resource: { kind: 'staging_job', name: 'library/alpine:3' } }),
  ],
])('C6: %s', async (_, event, ask, expected) => {
  await ask();
  expect(await newest(event)).toMatchObject(expected());
});

const push = (more: Record<string, unknown>) => ({
  job_id: annsJob,
  target_image: 'app',
  target_tag: '1',
  ...more,
});

const transfer = (folder: string) => ({
  images: [{ repository: 'lib/app', tag: '1' }],
  source_registry_id: saved,
  dest_folder: folder,
});
