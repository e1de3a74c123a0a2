/**
 * An attacker who can stop Redis, or kill a process at any moment, must not be able to make
 * unrecorded changes.
 */
import { describe, expect, it } from 'vitest';
import {
  counted,
  cutOff,
  environment,
  idIn,
  name,
  onStream,
  send,
  startAudited,
  userId,
} from './audit-outbox.fixture.ts';

startAudited();

describe('F5: no change is committed without its event', () => {
  const change = (path: string, body: () => unknown, table: string, method = 'POST') => ({
    what: `${method} ${path}`,
    path: () => path.replace('{user}', userId),
    body,
    table,
    method,
  });

  it.each([
    change('/folders', () => ({ name: name('team') }), 'folders'),
    change('/groups', () => ({ name: name('group') }), 'groups'),
    change(
      '/auth/users',
      () => ({ username: name('user'), password: 'a long password of 1' }),
      'users',
    ),
    change('/registries', () => ({ name: name('reg'), host: 'registry.example' }), 'registries'),
    change('/auth/tokens', () => ({ name: name('token'), scope: 'api' }), 'personal_tokens'),
    change('/staging/pull', () => ({ image: 'library/alpine', tag: '3' }), 'staging_jobs'),
    change('/trivy/db/update', () => ({}), 'maintenance_runs'),
    change(
      '/network/proxy',
      () => ({ http_proxy: 'http://proxy.example:3128' }),
      'settings',
      'PUT',
    ),
    change('/auth/users/{user}', () => ({ is_admin: true }), 'users WHERE is_admin', 'PATCH'),
  ])(
    '$what changes nothing where its event can not be written',
    async ({ path, body, table, method }) => {
      const before = await counted(table);
      await environment.sql.query(
        'ALTER TABLE audit_outbox ADD CONSTRAINT refused CHECK (false) NOT VALID',
      );
      const refused = await send(path(), body(), method);
      await environment.sql.query('ALTER TABLE audit_outbox DROP CONSTRAINT refused');
      expect([refused.status, await counted(table)]).toEqual([500, before]);
      const taken = await send(path(), body(), method);
      expect(taken.status).toBeLessThan(300);
      expect(await counted(table)).toBe(before + 1);
    },
  );
});

describe('F5: an api that is killed right after the commit', () => {
  it('leaves the event behind: it is published once, as interrupted', async () => {
    const folder = name('unseen');
    await cutOff('/folders', { name: folder }, () => environment.store.folders.find(folder));
    const events = async () =>
      (await onStream('folder.create')).filter(({ detail }) => detail.name === folder);
    await expect.poll(events).toHaveLength(1);
    expect(await events()).toMatchObject([{ actor: { name: 'root' }, path: '/api/folders' }]);
  });

  it('leaves an event behind that names the transfer', async () => {
    const registry = await environment.store.registries.insert({
      name: name('far'),
      host: 'registry.example',
    });
    const folder = name('far');
    await environment.store.folders.insertFolder({ name: folder });
    const image = `lib/${name('unseen')}`;
    const order = {
      images: [{ repository: image }],
      source_registry_id: registry.id,
      dest_folder: folder,
    };
    const id = await cutOff('/transfer', order, () =>
      idIn('SELECT transfer_id AS id FROM staging_jobs WHERE image = $1', [image]),
    );
    const events = async () =>
      (await onStream('transfer.request')).filter((event) =>
        JSON.stringify(event).includes(folder),
      );
    await expect.poll(events).toMatchObject([{ resource: { kind: 'transfer', id } }]);
  });
});
