import { expect, it } from 'vitest';
import type { FolderGrant } from '../access/principal.ts';
import { visibleWebhookFolders } from './webhook-access.ts';
import { webhookOrigin } from './webhook-address.ts';

const grant = (folder: string, flags: Partial<FolderGrant>): FolderGrant => ({
  ...{ folder, canPull: false, canPush: false, canPullExternal: false, canPushExternal: false },
  ...flags,
});

it('an account sees the webhooks of folders that it may push to, and no others', () => {
  const grants = [
    grant('team', { canPull: true, canPush: true }),
    grant('readable', { canPull: true, canPullExternal: true, canPushExternal: true }),
  ];
  expect(visibleWebhookFolders({ isAdmin: false, grants })).toEqual(['team']);
  expect(visibleWebhookFolders({ isAdmin: false, grants: [] })).toEqual([]);
});

it('an administrator sees all webhooks', () => {
  expect(visibleWebhookFolders({ isAdmin: true, grants: [] })).toBeNull();
});

it('accounts that only see a webhook see the host of its address', () => {
  expect(webhookOrigin('https://hooks.example:8443/a/b?c')).toBe('https://hooks.example:8443/…');
});
