/** Rights of a job at the time it runs, and for the host that its name resolves to. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GrantFlags, User } from '@portcullis/store';
import {
  fetchManifest,
  pushImage,
  randomImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

let harness: Harness;
let source: TestRegistry;

beforeAll(async () => {
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  await pushImage(source.url, 'team/app', '1', await randomImage());
  await pushImage(harness.registry.url, 'team/app', '1', await randomImage());
  await harness.startWorker({ EGRESS_ALLOW: '127.0.0.1' });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

let serial = 0;

/** An account with these flags on a folder, through a group. */
async function granted(flags: Partial<GrantFlags>, privileges: Partial<User> = {}) {
  const name = `crew${++serial}`;
  const user = await harness.store.users.insert({
    username: name,
    passwordHash: null,
    ...privileges,
  });
  const group = await harness.store.groups.insertGroup({ name });
  await harness.store.groups.addMember(group.id, user.id);
  const folder = await harness.store.folders.insertFolder({ name });
  await harness.store.folders.grant(folder.id, group.id, flags);
  return { user, group, folder };
}
type Granted = Awaited<ReturnType<typeof granted>>;

/** A pulled job of the account, ready for a push. */
async function staged({ user }: Granted): Promise<string> {
  const job = await harness.submit({
    image: 'team/app',
    tag: '1',
    host: source.host,
    ownerId: user.id,
  });
  expect(await harness.settled(job.id)).toMatchObject({ status: 'staged', error: null });
  return job.id;
}

async function pushed(jobId: string, { user }: Granted, repository: string) {
  await harness.push(jobId, { repository, requestedById: user.id, requestedBy: user.username });
  const { status, error } = await harness.until(
    jobId,
    ({ status }) => status === 'pushed' || status === 'failed',
  );
  const there = (await fetchManifest(harness.registry.url, repository, 'latest')).status;
  return [status, error?.code ?? null, there];
}

describe('a push that waited while a right was revoked is refused, and writes nothing', () => {
  it.each<[string, (team: Granted) => Promise<unknown>, string]>([
    [
      'the grant',
      ({ folder, group }) => harness.store.folders.revoke(folder.id, group.id),
      'FOLDER_FORBIDDEN',
    ],
    [
      'the flag',
      ({ folder, group }) => harness.store.folders.grant(folder.id, group.id, { canPull: true }),
      'FOLDER_FORBIDDEN',
    ],
    [
      'the membership',
      ({ group, user }) => harness.store.groups.removeMember(group.id, user.id),
      'FOLDER_FORBIDDEN',
    ],
    ['the group', ({ group }) => harness.store.groups.remove(group.id), 'FOLDER_FORBIDDEN'],
    [
      'the folder, whose repositories fall to __root__',
      ({ folder }) => harness.store.folders.remove(folder.id),
      'FOLDER_FORBIDDEN',
    ],
    [
      'the account',
      ({ user }) => harness.store.users.update(user.id, { disabled: true }),
      'ACCOUNT_DISABLED',
    ],
  ])('%s', async (_, revoke, code) => {
    const team = await granted({ canPullExternal: true, canPush: true });
    const job = await staged(team);
    await revoke(team);
    expect(await pushed(job, team, `${team.folder.name}/app`)).toEqual(['failed', code, 404]);
  });

  it('a new folder, to which the repository now belongs', async () => {
    const team = await granted({ canPullExternal: true });
    const root = await harness.store.folders.ensureRoot();
    await harness.store.folders.grant(root.id, team.group.id, { canPush: true });
    const [before, after] = [await staged(team), await staged(team)];
    expect(await pushed(before, team, 'newcomers/app')).toEqual(['pushed', null, 200]);
    await harness.store.folders.insertFolder({ name: 'newcomers' });
    expect(await pushed(after, team, 'newcomers/other')).toEqual([
      'failed',
      'FOLDER_FORBIDDEN',
      404,
    ]);
  });

  it('the privilege to bypass a block', async () => {
    const team = await granted(
      { canPullExternal: true, canPush: true },
      { canBypassVulnBlock: true },
    );
    const [first, second] = [await staged(team), await staged(team)];
    for (const id of [first, second])
      await harness.store.jobs.update(id, (job) => ({ ...job, verdict: 'blocked' }));
    expect(await pushed(first, team, `${team.folder.name}/one`)).toEqual(['pushed', null, 200]);
    await harness.store.users.update(team.user.id, { canBypassVulnBlock: false });
    expect(await pushed(second, team, `${team.folder.name}/two`)).toEqual([
      'failed',
      'VULN_BLOCKED',
      404,
    ]);
  });

  it('nothing: the push is done', async () => {
    const team = await granted({ canPullExternal: true, canPush: true });
    expect(await pushed(await staged(team), team, `${team.folder.name}/app`)).toEqual([
      'pushed',
      null,
      200,
    ]);
  });
});

describe('a pull checks the right for its source when it runs', () => {
  const local = { kind: 'registry', registryId: '__local__', host: 'localhost' } as const;
  const pulled = async ({ user }: Granted, from: object) => {
    const job = await harness.submit({
      image: 'team/app',
      tag: '1',
      host: source.host,
      ownerId: user.id,
      ...from,
    });
    const { status, error } = await harness.settled(job.id);
    return [status, error?.code ?? null];
  };

  it('from our own registry can_pull on the image’s folder, whatever external rights are granted', async () => {
    const team = await granted({ canPull: true, canPullExternal: true });
    expect(await pulled(team, { source: local })).toEqual(['failed', 'FOLDER_FORBIDDEN']);
    const image = `${team.folder.name}/app`;
    await pushImage(harness.registry.url, image, '1', await randomImage());
    expect(await pulled(team, { source: local, image })).toEqual(['staged', null]);
  });

  it('from another registry can_pull_external, whatever internal rights are granted', async () => {
    const team = await granted({ canPull: true, canPush: true });
    expect(await pulled(team, {})).toEqual(['failed', 'PULL_EXTERNAL_FORBIDDEN']);
  });

  it.each(['manifests', 'blobs'])(
    'a host that redirects its %s to our internal registry gets nothing from it',
    async (what) => {
      const team = await granted({ canPullExternal: true });
      const host = await redirecting(what);
      expect(await pulled(team, { host })).toEqual(['failed', 'EGRESS_PRIVATE']);
    },
  );
});

/**
 * Responds as the source, and forwards these requests to the built-in registry by its internal
 * address.
 */
async function redirecting(what: string): Promise<string> {
  const server = createServer((request, response) => {
    const inner = request.url?.includes(`/${what}/`) ?? false;
    response
      .writeHead(307, { location: `${inner ? harness.registry.url : source.url}${request.url}` })
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
