/** Which approved waivers are in force: the query and the rule of requests say the same. */
import { type FolderGrant, mayRequestWaiver } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { createDatabase, type TestDatabase } from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { openStore, type Store } from '../index.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const MIRROR = {
  ...{ registryId: null, prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 },
};
const FLAGS = ['canPull', 'canPush', 'canPullExternal', 'canPushExternal'] as const;
export const TERMS = [...FLAGS, 'isMirror', 'isAdmin', 'canBypassVulnBlock', 'disabled'] as const;

let database: TestDatabase;
export let store: Store;

export function startStore(): void {
  beforeAll(async () => {
    database = await createDatabase();
    store = openStore(database.url, sealer(Buffer.alloc(32, 7)));
  });
  afterAll(async () => {
    await store.close();
    await database.stop();
  });
}

/** An account with these terms, and its approved waiver of the folder. */
export async function waiverOf(name: string, held: ReadonlySet<(typeof TERMS)[number]>) {
  const has = (term: (typeof TERMS)[number]) => held.has(term);
  const folder = await store.folders.insertFolder({
    name,
    ...(has('isMirror') && { mirror: MIRROR }),
  });
  const [isAdmin, canBypassVulnBlock] = [has('isAdmin'), has('canBypassVulnBlock')];
  const { id } = await store.users.insert({
    ...{ username: name, passwordHash: null, isAdmin, canBypassVulnBlock },
  });
  // Each flag by a separate group: the rights of an account are merged.
  for (const flag of FLAGS.filter(has)) await grant(id, folder.id, { [flag]: true });
  const waiver = await store.waivers.insertWaiver({
    ...{ vulnerability: 'CVE-2026-1', package: null, packageVersion: null, digest: null },
    ...{ repository: null, folder: name, status: 'accepted', justification: null },
    ...{ reason: 'x', ticket: null, vexDocument: null, requestedById: id },
    expiresAt: new Date(NOW.getTime() + 86_400_000),
  });
  await store.waivers.save({ ...waiver, state: 'approved' });
  if (has('disabled')) await store.users.update(id, { disabled: true });
  return { waiverId: waiver.id, folderId: folder.id, accountId: id };
}

async function grant(accountId: string, folderId: string, flags: Partial<FolderGrant>) {
  const group = await store.groups.insertGroup({ name: crypto.randomUUID() });
  await store.groups.addMember(group.id, accountId);
  await store.folders.grant(folderId, group.id, flags);
}

export const inForce = async () => new Set((await store.waivers.inForce(NOW)).map(({ id }) => id));

/** The query and the rule agree on each combination of at most so many terms. */
export async function expectAgreement(most: number): Promise<void> {
  const roles = [];
  for (let bits = 0; bits < 2 ** TERMS.length; bits += 1) {
    const held = new Set(TERMS.filter((_, at) => bits & (1 << at)));
    if (held.size > most) continue;
    roles.push({ name: `role-${bits}`, held, ...(await waiverOf(`role-${bits}`, held)) });
  }
  const mirrors = await store.mirrors.byFolder();
  const now = await inForce();
  for (const { name: folder, held, accountId, waiverId } of roles) {
    const account = await store.users.get(accountId);
    const grants = await store.folders.grantsFor(accountId);
    const { allowed } = mayRequestWaiver({ ...account, grants }, { folder }, mirrors);
    expect([[...held], now.has(waiverId)]).toEqual([[...held], allowed && !held.has('disabled')]);
    // Who is notified of its images.
    const owns = held.has('canPush') || (held.has('isMirror') && held.has('canPullExternal'));
    const told = owns && !held.has('disabled') ? [folder] : [];
    const owners = await store.standings.owners(folder, 9);
    expect([[...held], owners.map(({ username }) => username)]).toEqual([[...held], told]);
    const [whose] = await store.vulnerabilities.owners([folder], 9);
    expect([[...held], whose?.owners ?? []]).toEqual([[...held], told]);
  }
}
