import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NAVIGATION } from './navigation-items.ts';
import { sectionsFor, tabsOf, whereIs } from './places.ts';

const admin = sectionsFor(NAVIGATION, true);
const developer = sectionsFor(NAVIGATION, false);
const entries = (sections: typeof admin) =>
  sections.flatMap(({ name, items }) =>
    name === 'account' ? [] : items.map(({ label }) => label),
  );
const placesOf = (sections: typeof admin) =>
  sections.flatMap(({ items }) => items.flatMap(({ places }) => places));

describe('the sidebar', () => {
  it('has ten entries for an administrator, and five for other accounts', () => {
    expect(entries(admin)).toEqual([
      ...['dashboard', 'reviews', 'incoming', 'images', 'vulnerabilities'],
      ...['policies', 'access', 'integrations', 'audit', 'system'],
    ]);
    expect(entries(developer)).toEqual(entries(admin).slice(0, 5));
  });

  it('leads an account that is no administrator to its robots', () => {
    expect(whereIs('/settings/robots', developer)?.item.label).toBe('account');
    expect(whereIs('/settings/robots', admin)?.item.label).toBe('access');
  });

  it.each([
    ['administrators', admin],
    ['others', developer],
  ])('has each address and each key once for %s', (_, sections) => {
    const places = placesOf(sections);
    expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
    expect(new Set(places.map(({ key }) => key)).size).toBe(places.length);
  });
});

it.each([
  ['/dashboard', 'dashboard', 'dashboard', true],
  ['/staging', 'incoming', 'staging', true],
  ['/staging/new', 'incoming', 'staging', false],
  ['/transfers', 'incoming', 'transfers', true],
  ['/transfers/0198', 'incoming', 'transfers', false],
  ['/transfers/schedules', 'incoming', 'schedules', true],
  ['/transfers/schedules/new', 'incoming', 'schedules', false],
  ['/folders/team', 'images', 'folderList', false],
  ['/images', 'images', 'repositories', true],
  ['/images/0198', 'images', 'repositories', true],
  ['/images/__local__/team/app', 'images', 'repositories', false],
  ['/waivers', 'reviews', 'waivers', true],
  ['/settings/scan', 'policies', 'scan', true],
  ['/settings/authorities', 'policies', 'authorities', true],
  ['/settings/policies/7', 'policies', 'policies', false],
  ['/settings/sign-on', 'access', 'signOn', true],
  ['/settings/webhooks/7', 'integrations', 'webhooks', false],
  ['/settings/clusters/eu', 'integrations', 'clusters', false],
  ['/system', 'system', 'system', true],
])('%s belongs to %s, and there to %s', (pathname, item, label, isTop) => {
  const here = whereIs(pathname, admin);
  expect([here?.item.label, here?.place.label, here?.isTop]).toEqual([item, label, isTop]);
});

it.each(['/', '/login', '/stagings', '/setting'])('%s belongs to no entry', (pathname) => {
  expect(whereIs(pathname, admin)).toBeNull();
});

it('the scan policy is opened from the policies, not by a tab', () => {
  const here = whereIs('/settings/policies', admin) ?? expect.fail();
  expect(tabsOf(here.item).map(({ label }) => label)).toEqual(['policies', 'authorities']);
});

const routes = readFileSync(new URL('../routes.tsx', import.meta.url), 'utf8');

it('each page belongs to an entry, so that none is lost and the sidebar says where it is', () => {
  const paths = [...routes.matchAll(/^ {2}'(\/[^']+)':/gm)].flatMap(([, path]) => path ?? []);
  expect(paths.length).toBeGreaterThan(30);
  const lost = paths.filter((path) => whereIs(path.replaceAll(/:\w+|\*/g, 'x'), admin) === null);
  expect(lost).toEqual([]);
});
