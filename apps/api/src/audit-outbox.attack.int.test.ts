/**
 * An attacker who can stop Redis, or kill a process at any moment, must not be able to make
 * unrecorded changes.
 */
import { describe, expect, it } from 'vitest';
import {
  api,
  counted,
  environment,
  name,
  onStream,
  send,
  setApi,
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
  /**
   * Delays the statement that completes the event after the change, so that the process can be
   * killed there.
   */
  const SLOW_END = `
    CREATE FUNCTION slow_end() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(3); RETURN NEW; END $$;
    CREATE TRIGGER slow_end BEFORE UPDATE ON audit_outbox FOR EACH ROW EXECUTE FUNCTION slow_end()`;

  /** Sends a request, and kills the api as soon as its change is visible. */
  async function cutOff<T>(
    path: string,
    body: unknown,
    find: () => Promise<T | null>,
    key?: string,
  ): Promise<T | null> {
    await environment.sql.query(SLOW_END);
    const cut = send(path, body, 'POST', key).then(
      () => 'answered',
      () => 'cut off',
    );
    await expect.poll(find).not.toBeNull();
    await api.kill();
    expect(await cut).toBe('cut off');
    await environment.sql.query('DROP TRIGGER slow_end ON audit_outbox; DROP FUNCTION slow_end()');
    // The killed process's statement may have completed the event, or not.
    await environment.sql.query(
      `UPDATE audit_outbox SET open_until = now() - interval '1 second' WHERE open_until IS NOT NULL`,
    );
    setApi(await environment.start());
    return find();
  }

  async function idIn(sql: string, values: unknown[]): Promise<string | null> {
    return (await environment.sql.query<{ id: string }>(sql, values)).rows[0]?.id ?? null;
  }

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
