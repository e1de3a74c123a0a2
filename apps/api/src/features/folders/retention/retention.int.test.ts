import { json, refusal } from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, codeOf, published, startApi, type TestApi } from '../../../api.fixture.ts';

const DAY_MS = 86_400_000;

let api: TestApi;
let admin: Client;
let ann: Client;
let name: string;
let nth = 0;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  await api.account('ann');
  [admin, ann] = await Promise.all([api.as('root'), api.as('ann')]);
});
afterAll(() => api?.stop());
beforeEach(async () => {
  name = `team${++nth}`;
  await admin.post('/api/folders', { name });
});

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

async function tagged(repository: string, tags: Record<string, number>): Promise<void> {
  for (const [tag, days] of Object.entries(tags)) {
    const at = new Date(Date.now() - days * DAY_MS);
    await api.store.images.record({ repository, tag, digest: digest('a'), manifests: [], at });
  }
}

const set = (retention: unknown) => admin.patch(`/api/folders/${name}`, { retention });
const preview = (body: object = {}) => admin.post(`/api/folders/${name}/retention/preview`, body);

describe('the rule of a folder', () => {
  it('is set, changed and removed, and is in the audit log', async () => {
    const rule = { keep_newest: 10, keep_days: 30, keep: ['v*'] };
    expect((await json(set(rule))).retention).toEqual(rule);
    expect((await json(set({ keep_days: 1 }))).retention).toEqual({
      ...{ keep_newest: null, keep_days: 1, keep: [] },
    });
    expect((await json(admin.get(`/api/folders/${name}`))).retention).toMatchObject({
      keep_days: 1,
    });
    expect((await json(set(null))).retention).toBeNull();
    const made = await json(admin.post('/api/folders', { name: `${name}x`, retention: rule }));
    expect(made.retention).toEqual(rule);
    expect(
      (await json(admin.patch(`/api/folders/${name}`, { description: 'd' }))).retention,
    ).toBeNull();
    const changes = (await published(api)).filter(
      ({ event, resource }) => event === 'folder.update' && resource?.name === name,
    );
    expect(changes.map(({ detail }) => Object.keys(detail))).toContainEqual(['retention']);
  });

  it.each([
    [{}, 'retention.keep_newest', 'RETENTION_UNBOUNDED'],
    [{ keep: ['v*'] }, 'retention.keep_newest', 'RETENTION_UNBOUNDED'],
    [{ keep_newest: 0 }, 'retention.keep_newest', 'TOO_SMALL'],
    [{ keep_newest: 1.5 }, 'retention.keep_newest', 'WRONG_TYPE'],
    [{ keep_days: 40_000 }, 'retention.keep_days', 'TOO_LARGE'],
    [{ keep_days: 1, keep: ['{v'] }, 'retention.keep.0', 'PATTERN_INVALID'],
    [{ keep_days: 1, keep: [''] }, 'retention.keep.0', 'REQUIRED'],
    [{ keep_days: 1, newest: 1 }, 'retention.newest', 'UNKNOWN_FIELD'],
    ['all', 'retention', 'WRONG_TYPE'],
  ])('is refused as %j, by the field', async (rule, path, code) => {
    const answers = await Promise.all([set(rule), preview({ retention: rule })]);
    for (const answer of answers) {
      const { errors } = await refusal(answer);
      expect([answer.status, errors[0].path, errors[0].code]).toEqual([422, path, code]);
    }
  });
});

describe('a preview', () => {
  it('says what a rule would remove, and removes nothing', async () => {
    await tagged(`${name}/app`, { new: 1, old: 9, older: 12, v1: 90, lts: 90 });
    await tagged(`${name}/other`, { one: 90 });
    await tagged(`${name}-not/app`, { one: 90 });
    await admin.patch(`/api/folders/${name}`, { immutable_tags: ['lts'] });
    const rule = { keep_newest: 1, keep_days: 10, keep: ['v*'] };
    const found = await json(preview({ retention: rule }));
    expect(found).toEqual({
      ...{ repositories: 2, tags_kept: 5, tags_removed: 1, more: false, complete: true },
      removed: [
        {
          repository: `${name}/app`,
          tag: 'older',
          digest: digest('a'),
          updated_at: expect.any(String),
        },
      ],
    });
    expect(await api.store.images.tagNames(`${name}/app`)).toHaveLength(5);
    expect(await codeOf(preview())).toEqual([409, 'RETENTION_UNSET']);
    await set(rule);
    expect(await json(preview())).toEqual(found);
  });

  it('lists the first 500, and says that there are more', async () => {
    const tags = Object.fromEntries(Array.from({ length: 502 }, (_, n) => [`t${n}`, 9]));
    await tagged(`${name}/app`, tags);
    const found = await json(preview({ retention: { keep_newest: 1 } }));
    expect(found).toMatchObject({ tags_removed: 501, tags_kept: 1, more: true });
    expect(found.removed).toHaveLength(500);
  });
});

describe('a run', () => {
  const run = (client = admin) => client.post(`/api/folders/${name}/retention/run`);
  const state = (client = admin) => client.get(`/api/folders/${name}/retention`);

  it('is requested once, and its state is there for all who may pull', async () => {
    expect(await codeOf(run())).toEqual([409, 'RETENTION_UNSET']);
    await set({ keep_days: 1 });
    expect(await json(state())).toMatchObject({ retention: { keep_days: 1 }, run: null });
    const started = await run();
    expect(started.status).toBe(202);
    expect(await json(started)).toMatchObject({ run: { state: 'running', requested_by: 'root' } });
    expect((await run()).status).toBe(202);
    expect(await codeOf(state(ann))).toEqual([404, 'FOLDER_UNKNOWN']);
    const group = await json(admin.post('/api/groups', { name: `of-${name}` }));
    await admin.put(`/api/groups/${group.id}/members`, { username: 'ann' });
    await admin.put(`/api/folders/${name}/permissions`, { group_id: group.id, can_pull: true });
    expect(await json(state(ann))).toEqual(await json(state()));
    for (const refused of [run(ann), ann.post(`/api/folders/${name}/retention/preview`, {})])
      expect(await codeOf(refused)).toEqual([403, 'ADMIN_ONLY']);
    await set(null);
    expect(await json(state())).toEqual({ retention: null, run: null });
  });
});
