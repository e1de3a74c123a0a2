/** Stores registries and their sealed credentials. */
import { conflict } from '@portcullis/errors';
import type { Sealer } from '@portcullis/runtime';
import type { Database } from '../database.ts';
import { isId, must, run, write } from '../database.ts';
import type { Registry as Row } from '../generated/client.ts';
import type { Credentials, NewRegistry, SavedRegistry } from './records.ts';

const MISSING: [string, string] = ['REGISTRY_UNKNOWN', 'there is no such registry'];
const WITH_OWNER = { owner: { select: { username: true } } } as const;

export function createRegistries(db: Database, sealer: Sealer) {
  async function find(id: string): Promise<SavedRegistry | null> {
    if (!isId(id)) return null;
    const row = await run(() => db.registry.findUnique({ where: { id }, include: WITH_OWNER }));
    return row && toRegistry(row);
  }

  function columns({ password, ...rest }: Partial<NewRegistry>) {
    if (password === undefined) return rest;
    return { ...rest, sealedPassword: password === null ? null : sealer.seal(password) };
  }

  return {
    find,
    get: async (id: string): Promise<SavedRegistry> => must(await find(id), ...MISSING),
    /** With `visibleTo`: the global ones and those of that account. */
    async list({ visibleTo }: { visibleTo?: string } = {}): Promise<SavedRegistry[]> {
      const where =
        visibleTo === undefined ? {} : { OR: [{ ownerId: null }, { ownerId: visibleTo }] };
      const rows = await run(() =>
        db.registry.findMany({ where, include: WITH_OWNER, orderBy: { name: 'asc' } }),
      );
      return rows.map(toRegistry);
    },
    async insert({ name, host, ...rest }: NewRegistry): Promise<SavedRegistry> {
      const data = { name, host, ...columns(rest) };
      const missing: [string, string] = ['USER_UNKNOWN', 'there is no such account'];
      return toRegistry(
        await write({ missing }, () => db.registry.create({ data, include: WITH_OWNER })),
      );
    },
    /** An omitted password stays, null removes it. */
    async update(
      id: string,
      change: Partial<Omit<NewRegistry, 'ownerId' | 'system'>>,
    ): Promise<SavedRegistry> {
      must(isId(id) ? id : null, ...MISSING);
      const statement = { where: { id }, data: columns(change), include: WITH_OWNER };
      return toRegistry(await write({ missing: MISSING }, () => db.registry.update(statement)));
    },
    /** @throws conflict `REGISTRY_IN_USE` where folders mirror it */
    async remove(id: string): Promise<void> {
      must(isId(id) ? id : null, ...MISSING);
      const where = { mirror: { registryId: id } };
      const folders = await run(() => db.folder.findMany({ where, select: { name: true } }));
      if (folders.length > 0) throw inUse(folders.map(({ name }) => name).sort());
      await write({ missing: MISSING }, () => db.registry.delete({ where: { id } }));
    },
    /** The unsealed credentials; null where none are saved. */
    async credentials(id: string): Promise<Credentials | null> {
      const row = isId(id) ? await run(() => db.registry.findUnique({ where: { id } })) : null;
      if (!row?.username || row.sealedPassword === null) return null;
      return { username: row.username, password: sealer.open(row.sealedPassword) };
    },
    /** Stores the result of a check; null clears it because the address has changed. */
    async checked(id: string, check: SavedRegistry['lastCheck']): Promise<void> {
      const { at = null, ok = null, code = null, message = null } = check ?? {};
      const data = { checkedAt: at, checkOk: ok, checkCode: code, checkMessage: message };
      await run(() => db.registry.updateMany({ where: { id }, data }));
    },
  };
}

function inUse(folders: string[]) {
  const message = `The registry is mirrored by ${folders.join(', ')}.`;
  return conflict('REGISTRY_IN_USE', message, { detail: { folders } });
}

function toRegistry(row: Row & { owner: { username: string } | null }): SavedRegistry {
  const { owner, sealedPassword, checkedAt, checkOk, checkCode, checkMessage, ...rest } = row;
  const lastCheck = checkedAt && {
    at: checkedAt,
    ok: checkOk ?? false,
    code: checkCode,
    message: checkMessage ?? '',
  };
  return {
    ...rest,
    hasPassword: sealedPassword !== null,
    ownerName: owner?.username ?? null,
    lastCheck,
  };
}
