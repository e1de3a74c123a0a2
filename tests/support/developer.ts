/** The accounts of tests, in the database, independently of the API for accounts. */
import { createPasswords } from '@portcullis/passwords';
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import { openSql } from '@portcullis/testing';
import type { Product } from './product.ts';

/** The account of the browser tests. */
export const ADMIN = ['admin', 'a long enough password'] as const;
export const DEVELOPER = ['dev', 'another long password'] as const;

/** bcrypt's lowest: at the product's cost each sign-in takes 0.3 s of the processor. */
const COST = 4;

/** Hashes the password of `ADMIN` again, at our cost. */
export async function cheapenAdmin(product: Product): Promise<void> {
  const [username, password] = ADMIN;
  const passwords = createPasswords({ cost: COST });
  const sql = await openSql(await product.databaseUrl());
  try {
    const hash = await passwords.hash(password);
    await sql.query('UPDATE users SET password_hash = $1 WHERE username = $2', [hash, username]);
  } finally {
    await passwords.close();
    await sql.end();
  }
}

/** Has all rights in the folder `team` and with other registries; no admin, no bypass. */
export async function addDeveloper(
  product: Product,
  username: string,
  password: string,
): Promise<void> {
  const store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  const passwords = createPasswords({ cost: COST });
  try {
    const user = await store.users.insert({
      username,
      passwordHash: await passwords.hash(password),
    });
    const group = await store.groups.insertGroup({ name: 'developers' });
    await store.groups.addMember(group.id, user.id);
    const folder = await store.folders.insertFolder({ name: 'team' });
    const all = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
    await store.folders.grant(folder.id, group.id, all);
  } finally {
    await passwords.close();
    await store.close();
  }
}
