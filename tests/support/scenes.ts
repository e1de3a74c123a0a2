/**
 * States of pages that an address alone does not show, for screenshots and for the checks of every
 * page: dialogs, menus, selected rows, lists without rows, and what accounts with few permissions
 * see. Each act waits for what it opens.
 */
import { json } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { openWhole } from './example-product.ts';
import type { Words } from './page-words.ts';

interface Scene {
  /** As pages.ts names it; its address. */
  on: string;
  as?: 'developer' | 'stranger';
  act?(page: Page, words: Words): Promise<unknown>;
}

export const SCENES: Readonly<Record<string, Scene>> = {
  palette: { on: 'overview', act: (page) => search(page, 'acme') },
  'palette-empty': { on: 'overview', act: (page) => search(page, 'nothing-like-it') },
  bell: { on: 'overview', act: openBell },
  shortcuts: { on: 'overview', act: openShortcuts },
  'account-menu': { on: 'overview', act: openAccountMenu },
  'overview-empty': { on: 'overview', act: showEmpty },
  'trends-table': { on: 'trends', act: showTable },
  'job-push': { on: 'job', act: opens(({ job }) => job?.push) },
  'job-review': { on: 'job', act: opens(({ review }) => review?.allow) },
  'job-menu': { on: 'job', act: openActions },
  'staging-selected': { on: 'staging', act: selectRows },
  'staging-no-match': {
    on: 'staging',
    act: (page) => openWhole(page, '/staging?q=nothing-like-it'),
  },
  'images-open': { on: 'images', act: openTree },
  'repository-selected': { on: 'repository', act: selectRows },
  'repository-menu': { on: 'repository', act: openMenu },
  'image-packages': { on: 'image', act: (page) => page.getByRole('tab').nth(1).click() },
  waiver: { on: 'waivers', act: openWaiver },
  'vulnerability-accept': {
    on: 'vulnerability-elsewhere',
    act: opens(({ asking }) => asking?.acceptOpen),
  },
  'waiver-import': { on: 'waivers', act: opens(({ waivers }) => waivers?.import) },
  'transfer-paste': { on: 'new-transfer', act: opens(({ batch }) => batch?.paste) },
  'registry-new': { on: 'registries', act: opens(({ registries }) => registries?.add) },
  'token-new': { on: 'account', act: opens(({ account }) => account?.newToken) },
  'user-new': { on: 'users', act: opens(({ users }) => users?.newUser) },
  user: { on: 'users', act: openRow },
  'user-unsaved': { on: 'users', act: leaveUnsaved },
  'users-selected': { on: 'users', act: selectRows },
  group: { on: 'groups', act: openRow },
  'groups-delete': { on: 'groups', act: deleteRows },
  'group-new': { on: 'groups', act: opens(({ groups }) => groups?.newGroup) },
  'robot-tokens': { on: 'robots', act: openRow },
  'robot-new': { on: 'robots', act: opens(({ robots }) => robots?.newRobot) },
  'folder-new': { on: 'folders', act: opens(({ folders }) => folders?.newFolder) },
  'folder-edit': { on: 'folder', act: opens(({ folder }) => folder?.edit) },
  'folder-mirror': { on: 'mirror', act: opens(({ mirror }) => mirror?.change) },
  'folder-retention': { on: 'folder', act: opens(({ retention }) => retention?.change) },
  'policy-effect': { on: 'policy', act: previewPolicy },
  'webhook-delivery': { on: 'webhook', act: openRow },
  'webhook-new': { on: 'webhooks', act: opens(({ webhooks }) => webhooks?.add) },
  'cluster-add': { on: 'clusters', act: opens(({ clusters }) => clusters?.add) },
  'clusters-empty': { on: 'clusters', act: showNoCluster },
  'audit-event': { on: 'audit', act: openRow },
  'developer-overview': { on: 'overview', as: 'developer' },
  'developer-job': { on: 'job', as: 'developer' },
  'developer-ask': {
    on: 'vulnerability-elsewhere',
    as: 'developer',
    act: opens(({ asking }) => asking?.askOpen),
  },
  'developer-review': { on: 'job', as: 'developer', act: opens(({ review }) => review?.request) },
  'developer-push': { on: 'job', as: 'developer', act: opens(({ job }) => job?.push) },
  'developer-folder': { on: 'folder', as: 'developer' },
  'stranger-overview': { on: 'overview', as: 'stranger' },
  'stranger-staging': { on: 'staging', as: 'stranger' },
  'stranger-pull': { on: 'pull', as: 'stranger' },
  'stranger-images': { on: 'images', as: 'stranger' },
  'stranger-folders': { on: 'folder-list', as: 'stranger' },
  'stranger-transfers': { on: 'transfers', as: 'stranger' },
  'stranger-transfer': { on: 'new-transfer', as: 'stranger' },
  'stranger-waivers': { on: 'waivers', as: 'stranger' },
  'stranger-users': { on: 'users', as: 'stranger' },
};

type Act = NonNullable<Scene['act']>;

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();

function textOf(words: Words, group: string, key: string): string {
  const text = words[group]?.[key];
  if (text === undefined) throw new Error(`the page has no text ${group}.${key}`);
  return text;
}

/** A button that opens a dialog. */
function opens(named: (words: Words) => string | undefined): Act {
  return async (page, words) => {
    const name = named(words);
    if (name === undefined) throw new Error('the page has no such text');
    await press(page, name);
    await dialogOf(page);
  };
}

const dialogOf = (page: Page): Promise<void> => page.getByRole('dialog').last().waitFor();

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill(text);
}

async function openBell(page: Page): Promise<void> {
  await page.locator('button:has(.tabler-icon-bell)').click();
  await dialogOf(page);
}

async function openShortcuts(page: Page): Promise<void> {
  await page.keyboard.press('?');
  await dialogOf(page);
}

async function openAccountMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^admin/ })
    .first()
    .click();
  await page.getByRole('menuitem').first().waitFor();
}

async function showTable(page: Page, words: Words): Promise<void> {
  const name = textOf(words, 'dashboard', 'asTable');
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('columnheader').first().waitFor();
}

const CLUSTERS = '**/api/clusters';

async function showNoCluster(page: Page): Promise<void> {
  await page.route(CLUSTERS, (route) => route.fulfill({ json: [] }));
  await openWhole(page, '/settings/clusters');
  await page.locator('ol code').first().waitFor();
  await page.unroute(CLUSTERS);
}

const STATS = '**/api/dashboard/stats';

/** As an administrator sees it before the first pull. */
async function showEmpty(page: Page): Promise<void> {
  await page.route(STATS, async (route) => {
    const response = await route.fetch();
    const stats = await json(response);
    const jobs = { ...stats.jobs, by_status: {} };
    await route.fulfill({ response, json: { ...stats, tags: 0, jobs } });
  });
  await openWhole(page, '/dashboard');
  await page.getByText('npm run demo').waitFor();
  await page.unroute(STATS);
}

async function openActions(page: Page, words: Words): Promise<void> {
  await press(page, textOf(words, 'job', 'more'));
  await page.getByRole('menuitem').first().waitFor();
}

async function openTree(page: Page): Promise<void> {
  await page.getByRole('treeitem').first().click();
  await page.getByRole('treeitem').nth(1).waitFor();
}

async function openWaiver(page: Page): Promise<void> {
  await openWhole(page, '/waivers?state=all');
  await openRow(page);
}

/** Escape asks before it discards what was typed. */
async function leaveUnsaved(page: Page, words: Words): Promise<void> {
  await press(page, textOf(words, 'users', 'newUser'));
  await page.getByRole('dialog').getByRole('textbox').first().fill('typed');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').nth(1).waitFor();
}

async function selectRows(page: Page, words: Words): Promise<void> {
  const boxes = page.getByRole('table').getByRole('checkbox');
  await boxes.nth(1).click();
  await boxes.nth(4).click({ modifiers: ['Shift'] });
  await page.getByRole('region', { name: textOf(words, 'bulk', 'bar') }).waitFor();
}

async function deleteRows(page: Page, words: Words): Promise<void> {
  await selectRows(page, words);
  await press(page, textOf(words, 'bulk', 'remove'));
  await dialogOf(page);
}

async function previewPolicy(page: Page, words: Words): Promise<void> {
  await press(page, textOf(words, 'policies', 'preview'));
  await page.getByText(textOf(words, 'policies', 'effectLead')).waitFor();
}

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').last().click();
  await page.getByRole('menuitem').first().waitFor();
}

async function openRow(page: Page): Promise<void> {
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').first().click();
  await dialogOf(page);
}
