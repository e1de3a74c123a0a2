/** What a user does on a list of thousands of rows. */
import type { Locator, Page } from 'playwright-core';
import { requestsEnded } from '../../../tests/support/browser.ts';
import { refocus, scroll, typeSearch } from './gestures.ts';
import type { MeasuredPage } from './long-tasks.ts';
import { REPOSITORY } from './seed.ts';

export type ListName =
  | 'jobs'
  | 'tags'
  | 'vulnerabilities'
  | 'users'
  | 'waivers'
  | 'transfers'
  | 'audit';

interface LongList {
  name: ListName;
  path: string;
  words: string;
  selectable: boolean;
  /** Opens a row. */
  row?: (page: Page) => Locator;
  /** The button that loads more rows. */
  more?: string;
  /** The heading of a column that sorts. */
  sorted?: string;
}

export const LISTS: readonly LongList[] = [
  { name: 'jobs', path: '/staging', words: 'app:77', selectable: true, sorted: 'Image' },
  {
    name: 'tags',
    path: `/images/__local__/${REPOSITORY}`,
    words: '1.77',
    selectable: true,
    row: (page) => page.getByRole('button', { name: '1.1.0', exact: true }),
  },
  { name: 'vulnerabilities', path: '/vulnerabilities', words: 'CVE-2098-1', selectable: false },
  {
    name: 'users',
    path: '/settings/users',
    words: 'account-12',
    selectable: true,
    row: (page) => page.getByRole('button', { name: 'account-1', exact: true }),
  },
  {
    name: 'waivers',
    path: '/waivers?state=all',
    words: 'CVE-2098-12',
    selectable: true,
    row: (page) => page.getByRole('button', { name: 'CVE-2098-1', exact: true }),
    sorted: 'Vulnerability',
  },
  { name: 'transfers', path: '/transfers', words: 'none', selectable: true, sorted: 'Status' },
  { name: 'audit', path: '/audit', words: 'ada', selectable: false, more: 'Show older events' },
];

export async function useList(measured: MeasuredPage, list: LongList): Promise<void> {
  const { page, slowly, measure, click } = measured;
  const { name, selectable, row, sorted } = list;
  await page.goto(list.path);
  await loadAll(measured, list);
  // Of pages that loaded faster than on the slowed CPU: their garbage, and the time that a row
  // takes, which limits how many are mounted in one task.
  await page.requestGC();
  await slowly(() => page.mouse.wheel(0, SOME_ROWS_PX));
  await scroll(measured, name);
  if (selectable) {
    const boxes = page.getByRole('table').getByRole('checkbox');
    await click(`${name}: select one`, boxes.nth(1));
    await click(`${name}: select another`, boxes.nth(2));
    await click(`${name}: select all`, boxes.first());
    await click(`${name}: select none`, boxes.first());
  }
  if (row) {
    await click(`${name}: open a row`, row(page));
    await measure(`${name}: close it`, () => page.keyboard.press('Escape'));
  }
  await refocus(measured, name);
  await typeSearch(measured, name, list.words);
  if (sorted !== undefined)
    await click(
      `${name}: sort`,
      page.getByRole('columnheader', { name: sorted }).locator('button'),
    );
}

const SOME_ROWS_PX = 1_500;

/** Without a slow CPU until the last page of the list. */
async function loadAll(
  { page, measure }: MeasuredPage,
  { name, more: title = 'Show more' }: LongList,
): Promise<void> {
  const more = page.getByRole('button', { name: title });
  await more.waitFor();
  while (!(await isLastPage(page)))
    await more.evaluate((button) => {
      if (!button.hasAttribute('data-loading')) (button as HTMLElement).click();
      return new Promise((resolve) => requestAnimationFrame(resolve));
    });
  await requestsEnded(page);
  while ((await more.count()) > 0) {
    // Not by the mouse: the list moves the button, and a row is where it was.
    await more.focus();
    await measure(`${name}: show the last rows`, () => page.keyboard.press('Enter'));
  }
}

/** The next clicks load the last rows of 10,000. */
async function isLastPage(page: Page): Promise<boolean> {
  const count = Number(await page.getByRole('table').getAttribute('aria-rowcount'));
  return count > ROWS_BEFORE_LAST;
}

const ROWS_BEFORE_LAST = 9_850;
