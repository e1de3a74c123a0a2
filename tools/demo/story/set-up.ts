/** What the administrator sets up: accounts, a policy, a folder with a gate, a registry. */
import type { ApiClient } from '@portcullis/client';
import type { Logins } from '../state.ts';

export const FOLDER = 'shop';
const POLICY = 'Sample policy';

export interface Installation {
  registryId: string;
  robot: Logins['robot'];
}

export async function setUp(
  admin: ApiClient,
  { developer, reviewer }: Pick<Logins, 'developer' | 'reviewer'>,
  sourceHost: string,
): Promise<Installation> {
  const developers = await groupOf(admin, 'developers', developer);
  const reviewers = await groupOf(admin, 'reviewers', { ...reviewer, can_bypass_vuln_block: true });
  await admin.call('trivy.setOverride', { body: { severities: ['CRITICAL', 'HIGH'] } });
  const policy = await admin.call('policies.createPolicy', {
    body: {
      name: POLICY,
      rules: [
        { severities: ['CRITICAL', 'HIGH'] },
        { severities: ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'], kev: 'only' },
      ],
      grace_days: 0,
    },
  });
  await admin.call('folders.createFolder', {
    body: {
      name: FOLDER,
      description: 'Sample data: the images of the shop',
      policy_id: policy.id,
      pull_gate: 'enforce',
    },
  });
  const folder = { folder_id: FOLDER };
  const all = { can_pull: true, can_push: true, can_pull_external: true };
  await admin.call('folders.setPermission', {
    params: folder,
    body: { group_id: developers, ...all },
  });
  await admin.call('folders.setPermission', {
    params: folder,
    body: { group_id: reviewers, can_pull: true },
  });
  const registry = await admin.call('registries.createRegistry', {
    body: { name: 'Sample registry', host: sourceHost, owner: 'global', use_tls: false },
  });
  return { registryId: registry.id, robot: await robotOf(admin, developers) };
}

async function groupOf(
  admin: ApiClient,
  name: string,
  account: Logins['reviewer'] & { can_bypass_vuln_block?: boolean },
): Promise<string> {
  const { id } = await admin.call('groups.createGroup', { body: { name } });
  const { username } = await admin.call('users.create', { body: account });
  await admin.call('groups.addMember', { params: { id }, body: { username } });
  return id;
}

/** It pulls from the folder over `/v2`, and nothing else. */
async function robotOf(admin: ApiClient, owner: string): Promise<Logins['robot']> {
  const { id, name } = await admin.call('robots.create', {
    body: { name: 'cluster', description: 'Sample data: pulls', owner_group_id: owner },
  });
  const { token } = await admin.call('robots.createToken', {
    params: { id },
    body: {
      name: 'demonstration',
      scope: { folders: [FOLDER], actions: ['pull'], registry: true },
      expires_in_days: 365,
    },
  });
  return { username: name, password: token };
}
