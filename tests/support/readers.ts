/** Who reads the pages of the example product, and in which portions tests open them. */
import { ADMIN, DEVELOPER } from './developer.ts';
import type { ExampleProduct } from './example-product.ts';
import { PAGE_NAMES } from './pages.ts';
import { logIn } from './product.ts';
import { SCENES } from './scenes.ts';

/** Has no permission. */
const STRANGER = ['stranger', 'nothing is granted to me'] as const;
/** Has to change its password before anything else. */
export const NEWCOMER = ['newcomer', 'the password of a newcomer'] as const;

export const ACCOUNTS = { admin: ADMIN, developer: DEVELOPER, stranger: STRANGER } as const;
export type Role = keyof typeof ACCOUNTS;
export const ROLES = Object.keys(ACCOUNTS) as Role[];

/** Those that show a developer other things than an administrator. */
const DEVELOPERS_PAGES = [
  ...['overview', 'staging', 'pull', 'job', 'folder-list', 'folder', 'images', 'waivers'],
  ...['transfers', 'new-transfer', 'registries', 'account', 'robots', 'users'],
];

/** What one test opens one after the other: each begins with a browser without a cache. */
const PORTION = 8;

export interface Portion {
  names: string[];
  /** For the name of the test. */
  title: string;
}

export const portionsOf = (names: readonly string[]): Portion[] =>
  Array.from({ length: Math.ceil(names.length / PORTION) }, (_, nth) => {
    const some = names.slice(nth * PORTION, (nth + 1) * PORTION);
    return { names: some, title: some.join(', ') };
  });

const PAGES: Record<Role, readonly string[]> = {
  admin: PAGE_NAMES,
  developer: DEVELOPERS_PAGES,
  stranger: [],
};
export const pagesReadBy = (role: Role): Portion[] => portionsOf(PAGES[role]);

export const scenesSeenBy = (role: Role): Portion[] =>
  portionsOf(Object.keys(SCENES).filter((name) => (SCENES[name]?.as ?? 'admin') === role));

/** Adds the accounts that the example data does not have. */
export async function addReaders({ product }: ExampleProduct): Promise<void> {
  const admin = await logIn(product, ...ADMIN);
  for (const [[username, password], must_change_password] of [
    [STRANGER, false],
    [NEWCOMER, true],
  ] as const) {
    const account = { username, password, must_change_password };
    const { status, body } = await admin('POST', '/api/auth/users', account);
    if (status !== 201) throw new Error(`${username}: ${status} ${JSON.stringify(body)}`);
  }
}
