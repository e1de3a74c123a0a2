/**
 * Upstreams that turn malicious after the mirror has a good image: whatever they answer when they
 * are asked about its tag, what is here is served, at each pull and after each round of checks.
 */
import { buildImage, pushImage, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileRegistry, startHostile } from '../../worker/hostile.ts';
import { ANSWERS } from '../../worker/hostility/answers.ts';
import { type HostileCase, LOGIN, ordinary } from '../../worker/hostility/case.ts';
import { DOCUMENTS } from '../../worker/hostility/documents.ts';
import { ELSEWHERE } from '../../worker/hostility/elsewhere.ts';
import { type MirrorSite, openMirrorSite } from './mirror-site.ts';

const CASES: HostileCase[] = [...ANSWERS, ...DOCUMENTS, ...ELSEWHERE];

let site: MirrorSite;
let good: TestImage;
let elsewhere: HostileRegistry;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  site = parts.use(await openMirrorSite());
  // What they offer is not brought in.
  await site.worker.kill('SIGKILL');
  good = await buildImage({ layers: [{ 'bin/sh': 'good' }] });
  elsewhere = parts.use(await startHostile([], () => false));
});
afterAll(() => parts.disposeAsync());

/** The image was pushed to the folder before it mirrors the upstream. */
async function mirrorOf({ behave, images, login }: HostileCase, folder: string): Promise<void> {
  const source = parts.use(
    await startHostile(await (images ?? ordinary)(), behave?.({ elsewhere }) ?? (() => false)),
  );
  await site.api.store.folders.insertFolder({ name: folder });
  await pushImage(site.api.url, `${folder}/team/app`, '1', good, {
    credentials: { username: 'root', password: 'pass-of-root' },
  });
  const registry_id = await site.saveRegistry(source.host, login ? LOGIN : undefined);
  await site.mirror(folder, { registry_id });
  await site.admin.patch(`/api/folders/${folder}`, { pull_gate: 'off' });
}

describe('what is here is served of an upstream that', () => {
  it.each(CASES.map((each, nth) => [each.source, each, `k${nth}`] as const))(
    '%s',
    async (_, each, folder) => {
      await mirrorOf(each, folder);
      for (const how of [{}, { from: site.second, method: 'HEAD' }]) {
        await site.due();
        const { status, headers } = await site.read(`${folder}/team/app/manifests/1`, how);
        expect([status, headers.get('docker-content-digest')]).toEqual([200, good.digest]);
      }
    },
  );
});

it('is served after a round of checks, which asks all of them', async () => {
  await site.due();
  const asked = async (since: string) =>
    (
      await site.sql.query(
        `SELECT count(*)::int FROM mirror_tags WHERE checked_at IS NOT NULL AND ${since}`,
      )
    ).rows[0]?.count;
  expect(await asked('due_at <= now()')).toBe(CASES.length);
  await site.api.checkMirrors();
  expect(await asked('due_at > now()')).toBe(CASES.length);
  for (const [nth] of CASES.entries()) {
    const { status, headers } = await site.read(`k${nth}/team/app/manifests/1`);
    expect([nth, status, headers.get('docker-content-digest')]).toEqual([nth, 200, good.digest]);
  }
});
