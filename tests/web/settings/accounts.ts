/** Accounts, groups, permissions, tokens and passwords in a browser. */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { NO_FAULTS, signedIn, visit, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { logIn } from '../../support/product.ts';
import type { Site } from '../../support/site.ts';

export function accounts(site: Site): void {
  describe('accounts', () => {
    const MIRA = ['mira', 'a sentence is good'] as const;
    const MIRAS_NEXT = 'another sentence is better';
    const NOAH = ['noah', 'chosen by somebody else'] as const;
    const NEW_PASSWORD = 'nobody else knows this one';

    const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

    describe('an administrator', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN), NO_FAULTS);

      it('reads the first steps in an empty installation', async ({ page }) => {
        await page.goto('/settings/folders');
        await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
        await page.goto('/settings/groups');
        await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
      });

      it('creates an account with a chosen password', async ({ page }) => {
        await page.goto('/settings/users');
        await page.getByRole('button', { name: 'New user' }).click();
        const form = dialog(page, 'New user');
        await form.getByLabel('Username').fill(MIRA[0]);
        await form.getByRole('button', { name: 'Generate' }).click();
        await form.getByRole('button', { name: 'Copy password' }).waitFor();
        await form.getByLabel('Password', { exact: true }).fill(MIRA[1]);
        await form.getByRole('switch', { name: 'Must change password' }).uncheck();
        await form.getByRole('button', { name: 'Create account' }).click();
        await page.getByRole('button', { name: MIRA[0] }).waitFor();
      });

      it('creates a group and adds a member', async ({ page }) => {
        await page.goto('/settings/groups');
        await page.getByRole('button', { name: 'New group' }).click();
        await dialog(page, 'New group').getByLabel('Name').fill('builders');
        await page.getByRole('button', { name: 'Create group' }).click();
        const group = dialog(page, 'builders');
        await group.getByRole('combobox', { name: 'Add member' }).fill('mir');
        await page.getByRole('option', { name: MIRA[0] }).click();
        await group.getByRole('button', { name: 'Remove mira' }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('cell', { name: MIRA[0] }).waitFor();
      });

      it('creates a folder and grants it by keyboard only; nothing applies before it is saved', async ({
        page,
      }) => {
        await page.goto('/settings/folders');
        await page.getByRole('button', { name: 'New folder' }).click();
        await dialog(page, 'New folder').getByLabel('Name').fill('shop');
        await page.getByRole('button', { name: 'Create folder' }).click();
        const cell = (right: string) =>
          page.getByRole('button', { name: `shop, builders: ${right}`, exact: true });
        await cell('Pull').focus();
        // A screen reader announces where the cell is, although only some rows are in the document.
        // Below the groups and the folder of images without one.
        const row = page.getByRole('row').filter({ has: cell('Pull') });
        await expect.poll(() => row.getAttribute('aria-rowindex')).toBe('3');
        await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3');
        await page.keyboard.press('Space');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Space');
        await page.getByText('2 unsaved changes').waitFor();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('The permissions were saved.').waitFor();
        await page.reload();
        await cell('Push').waitFor();
        await expect.poll(() => cell('Push').getAttribute('aria-pressed')).toBe('true');
        await expect
          .poll(() => cell('Push to other registries').getAttribute('aria-pressed'))
          .toBe('false');
      });

      it('reads why an account may perform an action, and why not', async ({ page }) => {
        await page.goto('/settings/folders');
        await page.getByRole('combobox', { name: 'Account' }).fill('mir');
        await page.getByRole('option', { name: MIRA[0] }).click();
        await page.getByLabel('Repository').fill('shop/app');
        await page.getByText('Yes, mira may push shop/app.').waitFor();
        await page.getByText('builders has Pull and Push on shop').waitFor();
        await page.getByLabel('Repository').fill('other/app');
        await page.getByText('No, mira may not push other/app.').waitFor();
      });
    });

    describe('a plain user', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, MIRA));

      it('sees only permitted pages', async ({ page }) => {
        await page.goto('/settings/account');
        await page.getByText('Push to folders that are granted to you').waitFor();
        const navigation = page.getByRole('navigation');
        await navigation.getByRole('link', { name: 'My account' }).waitFor();
        await expect.poll(() => navigation.getByRole('link', { name: 'Users' }).count()).toBe(0);
        await page.goto('/settings/users');
        await page.getByRole('heading', { name: 'Administrators only' }).waitFor();
      });

      it('changes their password', async ({ page }) => {
        await page.goto('/settings/account');
        await page.getByLabel('Current password').fill(MIRA[1]);
        await page.getByLabel('New password', { exact: true }).fill(MIRAS_NEXT);
        await page.getByLabel('Repeat the new password').fill(MIRAS_NEXT);
        await page.getByRole('button', { name: 'Change password' }).click();
        await page.getByText('Your password was changed.').waitFor();
        const other = await signedIn(site.browser, site.url, [MIRA[0], MIRAS_NEXT]);
        await other.close();
      });
    });

    describe('a user with a password that an administrator chose', () => {
      const it = visitedBy(async () => {
        const admin = await logIn(site.product, ...ADMIN);
        const [username, password] = NOAH;
        const account = { username, password, must_change_password: true };
        expect((await admin('POST', '/api/auth/users', account)).status).toBe(201);
        return visit(site.browser, site.url);
      });

      const change = async (page: Page, from: string, to: string) => {
        await page.getByLabel('Current password').fill(from);
        await page.getByLabel('New password', { exact: true }).fill(to);
        await page.getByLabel('Repeat the new password').fill(to);
        await page.getByRole('button', { name: 'Change password' }).click();
      };

      it('changes it before anything else, and the old one is invalid', async ({ page }) => {
        // The account can do nothing before changing it, on any page.
        await page.goto('/');
        await page.getByLabel('Username').fill(NOAH[0]);
        await page.getByLabel('Password', { exact: true }).fill(NOAH[1]);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByText('Choose your own password to continue.').waitFor();
        await page.goto('/images');
        await page.getByText('Choose your own password to continue.').waitFor();
        await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
        // The account reads why a password is refused, and continues with a valid one.
        await page.getByLabel('New password', { exact: true }).fill('short');
        await page.getByText('7 more characters needed.').waitFor();
        await expect
          .poll(() => page.getByRole('button', { name: 'Change password' }).isDisabled())
          .toBe(true);
        await change(page, 'not the one', NEW_PASSWORD);
        await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
        await change(page, NOAH[1], NEW_PASSWORD);
        await page.getByRole('heading', { name: 'Repositories', exact: true }).waitFor();
        // The account finds the password page in the menu, and the old password is invalid.
        await page.getByRole('button', { name: NOAH[0], exact: true }).click();
        await page.getByRole('menuitem', { name: 'My account' }).click();
        await page.getByRole('heading', { name: 'My account' }).waitFor();
        await page.getByLabel('Current password').waitFor();
        await expect(logIn(site.product, ...NOAH)).rejects.toThrow('401');
        await logIn(site.product, NOAH[0], NEW_PASSWORD);
      });
    });
  });
}
