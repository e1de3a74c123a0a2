/**
 * States of pages that an address alone does not show, for screenshots: dialogs, menus, selected
 * rows, lists without rows, and what accounts with few permissions see.
 */
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
  bell: { on: 'overview', act: (page) => page.locator('button:has(.tabler-icon-bell)').click() },
  'job-push': { on: 'job', act: press(({ job }) => job?.push) },
  'job-review': { on: 'job', act: press(({ review }) => review?.allow) },
  'staging-selected': { on: 'staging', act: selectRows },
  'staging-no-match': {
    on: 'staging',
    act: (page) => openWhole(page, '/staging?q=nothing-like-it'),
  },
  'repository-selected': { on: 'repository', act: selectRows },
  'repository-menu': { on: 'repository', act: openMenu },
  'waiver-import': { on: 'waivers', act: press(({ waivers }) => waivers?.import) },
  'transfer-paste': { on: 'new-transfer', act: press(({ batch }) => batch?.paste) },
  'registry-new': { on: 'registries', act: press(({ registries }) => registries?.add) },
  'token-new': { on: 'account', act: press(({ account }) => account?.newToken) },
  'user-new': { on: 'users', act: press(({ users }) => users?.newUser) },
  'group-new': { on: 'groups', act: press(({ groups }) => groups?.newGroup) },
  'robot-new': { on: 'robots', act: press(({ robots }) => robots?.newRobot) },
  'folder-new': { on: 'folders', act: press(({ folders }) => folders?.newFolder) },
  'folder-edit': { on: 'folder', act: press(({ folder }) => folder?.edit) },
  'webhook-new': { on: 'webhooks', act: press(({ webhooks }) => webhooks?.add) },
  'audit-event': { on: 'audit', act: openRow },
  'developer-overview': { on: 'overview', as: 'developer' },
  'developer-job': { on: 'job', as: 'developer' },
  'developer-review': { on: 'job', as: 'developer', act: press(({ review }) => review?.request) },
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

function press(textOf: (words: Words) => string | undefined): NonNullable<Scene['act']> {
  return (page, words) => {
    const name = textOf(words);
    if (name === undefined) throw new Error('the page has no such text');
    return page.getByRole('button', { name, exact: true }).first().click();
  };
}

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill(text);
}

async function selectRows(page: Page): Promise<void> {
  const boxes = page.getByRole('table').getByRole('checkbox');
  await boxes.nth(1).click();
  await boxes.nth(4).click({ modifiers: ['Shift'] });
}

function openMenu(page: Page): Promise<void> {
  return page.getByRole('table').getByRole('row').nth(1).getByRole('button').last().click();
}

function openRow(page: Page): Promise<void> {
  return page.getByRole('table').getByRole('row').nth(1).getByRole('button').first().click();
}
