/**
 * A capability has one name on every floor: the groups of operations in the contract, the folders
 * of the api's features, of the store and of the page. Where a floor has another name, it is here.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { contract } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const PAGES = 'apps/web/src/pages';

/** `settings/…` are pages of the settings. */
const FLOORS: Record<string, readonly string[]> = {
  contract: Object.keys(contract),
  api: foldersIn('apps/api/src/features'),
  store: foldersIn('packages/store/src'),
  web: [
    ...foldersIn(PAGES).filter((name) => name !== 'settings'),
    ...foldersIn(`${PAGES}/settings`).map((name) => `settings/${name}`),
  ],
};

/** What is on a floor under the capability's own name needs no entry. */
const CAPABILITIES: Record<string, readonly string[]> = {
  accounts: ['auth', 'users', 'tokens', 'password', 'sign-in', 'settings/account'],
  audit: [],
  authorities: [],
  clusters: [],
  dashboard: [],
  feeds: [],
  folders: [],
  gate: [],
  groups: [],
  images: [],
  maintenance: ['system', 'processes'],
  mirrors: [],
  network: [],
  notifications: [],
  oidc: [],
  policies: [],
  registries: [],
  reports: [],
  reviews: [],
  robots: ['trusts'],
  search: [],
  statements: [],
  staging: ['jobs', 'job', 'pull'],
  transfers: [],
  trivy: ['settings/scan'],
  vulnerabilities: [],
  waivers: [],
  webhooks: [],
};

/** Folders of the store that hold no capability. */
const MECHANISMS = ['generated', 'schema', 'session'];

function capabilityOf(folder: string): string[] {
  const known = folder.replace(/^settings\//, '');
  return Object.entries(CAPABILITIES)
    .filter(
      ([name, others]) => known === name || [folder, known].some((each) => others.includes(each)),
    )
    .map(([name]) => name);
}

it.each(Object.entries(FLOORS))(
  'every folder of the floor %s is of one capability',
  (_, folders) => {
    expect(folders.length).toBeGreaterThan(10);
    const unknown = folders
      .filter((folder) => !MECHANISMS.includes(folder))
      .filter((folder) => capabilityOf(folder).length !== 1);
    expect(unknown).toEqual([]);
  },
);

it('every name is on a floor', () => {
  const found = new Set(Object.values(FLOORS).flat());
  const names = Object.entries(CAPABILITIES).flatMap(([name, others]) =>
    capabilityFloors(name) === 0 ? [name] : others.filter((other) => !found.has(other)),
  );
  expect(names).toEqual([]);
});

/** The more names a reader has to know, the worse: this number only falls. */
const MOST_OTHER_NAMES = 13;

it(`has at most ${MOST_OTHER_NAMES} other names`, () => {
  expect(Object.values(CAPABILITIES).flat().length).toBeLessThanOrEqual(MOST_OTHER_NAMES);
});

function capabilityFloors(name: string): number {
  return Object.values(FLOORS).filter((folders) =>
    folders.some((folder) => capabilityOf(folder).includes(name)),
  ).length;
}

function foldersIn(dir: string): string[] {
  return readdirSync(path.join(ROOT, dir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
