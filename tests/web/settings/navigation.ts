/** The sidebar and the tabs: where each page is, by click, by address, by key and with Back. */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const entries = (page: Page) => sidebar(page).getByRole('link');
const tabs = (page: Page, section: string) =>
  page.getByRole('main').getByRole('navigation', { name: section }).getByRole('link');
const current = (page: Page) =>
  page.getByRole('navigation').locator('[aria-current=page]').allTextContents();

export function navigation(site: Site): void {
  describe('the sidebar of a developer', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

    it('has five entries, and the account menu leads to the robots', async ({ page }) => {
      await page.goto('/staging');
      await expect
        .poll(() => entries(page).allTextContents())
        .toEqual(['Portcullis', 'Overview', 'Reviews', 'Incoming', 'Images', 'Vulnerabilities']);
      await page.getByRole('button', { name: DEVELOPER[0], exact: true }).click();
      await page.getByRole('menuitem', { name: 'My account' }).click();
      await tabs(page, 'My account').getByText('Robots').click();
      await page.getByRole('heading', { name: 'Robots', level: 1 }).waitFor();
      await expect.poll(() => current(page)).toEqual(['Robots']);
    });
  });

  describe('the sidebar of an administrator', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

    it('says where a page is, also below a list', async ({ page }) => {
      for (const [address, marked] of [
        ['/settings/groups', ['Access', 'Groups']],
        ['/settings/scan', ['Policies']],
        ['/transfers/schedules/new', ['Incoming']],
        ['/images', ['Images', 'Repositories']],
        ['/waivers', ['Reviews', 'Waivers']],
        ['/system', ['System']],
      ] as const) {
        await page.goto(address);
        await expect.poll(() => current(page), { message: address }).toEqual(marked);
      }
    });

    it('leads on from the address that schedules had, with their order', async ({ page }) => {
      await page.goto('/transfers?show=schedules&sort=name');
      await page.waitForURL('**/transfers/schedules?sort=name');
      await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
    });

    it('is reached by keys: the tabs by Tab and Enter, each page by its shortcut', async ({
      page,
    }) => {
      await page.goto('/settings/users');
      await tabs(page, 'Access').getByText('Users').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
      for (const [key, title] of [
        ['c', 'Schedules'],
        ['h', 'Webhooks'],
        ['p', 'Scan policy'],
        ['x', 'Waivers'],
      ] as const) {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      }
    });
  });
}
