/** Accounts without permissions, and one whose session ends, in a browser. */
import { beforeAll, describe, expect } from 'vitest';
import { endSessionAtNextChange, signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { logIn } from '../../support/product.ts';
import type { Site } from '../../support/site.ts';

export function rights(site: Site): void {
  describe('rights', () => {
    const STRANGER = ['stranger', 'nothing is granted to me'] as const;
    /** Is in no group, and may push blocked images. */
    const REVIEWER = ['reviewer', 'waivers of all folders'] as const;
    beforeAll(async () => {
      const admin = await logIn(site.product, ...ADMIN);
      const [username, password] = STRANGER;
      expect((await admin('POST', '/api/auth/users', { username, password })).status).toBe(201);
      const reviewer = {
        username: REVIEWER[0],
        password: REVIEWER[1],
        can_bypass_vuln_block: true,
      };
      expect((await admin('POST', '/api/auth/users', reviewer)).status).toBe(201);
    });

    describe('an administrator', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

      it('is led from the own account to the mail server', async ({ page }) => {
        await page.goto('/settings/account');
        await page.getByRole('link', { name: 'Set up a mail server' }).click();
        await page.waitForURL('**/settings/network');
      });
    });

    describe('a user without rights', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, STRANGER));

      it('reads on each page what is available', async ({ page }) => {
        for (const [place, words] of [
          ['/dashboard', 'Ask an administrator to add your account to one.'],
          ['/staging', 'Ask an administrator to add your account to one.'],
          ['/staging/new', 'You are not allowed to pull from other registries.'],
          ['/images', 'You do not have access to any folder'],
          ['/images/__local__/team/app', 'Access denied'],
          ['/transfers', 'Ask an administrator to add your account to one.'],
          ['/transfers/schedules', 'Ask an administrator to add your account to one.'],
          ['/transfers/new', 'You are not allowed to push to any folder.'],
          ['/transfers/new', 'You are not allowed to pull from other registries.'],
          ['/waivers', 'Ask an administrator to add your account to one.'],
          ['/registries', 'No saved registries'],
          ['/settings/account', 'No permissions yet'],
          ['/settings/users', 'Administrators only'],
          ['/settings/groups', 'Administrators only'],
          ['/settings/folders', 'Administrators only'],
          ['/settings/scan', 'Administrators only'],
          ['/settings/sign-on', 'Administrators only'],
          ['/settings/network', 'Administrators only'],
          ['/audit', 'Administrators only'],
          ['/system', 'Administrators only'],
          ['/no-such-page', 'There is no page at this address.'],
        ] as const) {
          await page.goto(place);
          await page.getByText(words).first().waitFor();
        }
        await page.getByRole('link', { name: 'Go to the start' }).click();
        await page.waitForURL('**/staging');
        await page.getByText('Ask an administrator to add your account to one.').waitFor();
      });

      it('reads whom to ask for mails, where an administrator has a link', async ({ page }) => {
        await page.goto('/settings/account');
        await page.getByText('An administrator can set up a mail server.').waitFor();
        await expect
          .poll(() => page.getByRole('link', { name: 'Set up a mail server' }).count())
          .toBe(0);
      });

      it('reads where something is missing who the administrators are', async ({ page }) => {
        for (const place of [
          '/dashboard',
          '/staging',
          '/staging/new',
          '/images',
          '/folders',
          '/transfers/new',
          '/waivers',
          '/settings/users',
        ]) {
          await page.goto(place);
          await page.getByText('Administrators: admin.', { exact: true }).waitFor();
        }
      });

      it('is offered nothing that it may not do', async ({ page }) => {
        await page.goto('/staging');
        await page.getByText('Administrators: admin.', { exact: true }).waitFor();
        await expect.poll(() => page.getByText('Pull an image').count()).toBe(0);
        await page.goto('/transfers');
        await page.getByText('Administrators: admin.', { exact: true }).waitFor();
        await expect.poll(() => page.getByRole('link', { name: 'New transfer' }).count()).toBe(0);
      });
    });

    describe('a reviewer without groups', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, REVIEWER));

      it('imports waivers, and reads that there are none', async ({ page }) => {
        await page.goto('/waivers?state=all');
        await page.getByText('No waivers yet').waitFor();
        await page.getByRole('button', { name: 'Import OpenVEX' }).waitFor();
      });
    });

    describe('a user whose session ends', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

      it('keeps unsaved settings, signs in, and saves them', async ({ page }) => {
        await page.goto('/settings/network');
        const section = page.getByRole('region', { name: 'Proxy' });
        await section.getByLabel('No proxy for').fill('.corp.example');
        await endSessionAtNextChange(page);
        await section.getByRole('button', { name: 'Save', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
        await dialog.getByLabel('Password', { exact: true }).waitFor();
        await dialog.getByLabel('Password', { exact: true }).fill('not this one');
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.getByText('Incorrect username or password.').waitFor();
        await dialog.getByLabel('Password', { exact: true }).fill(ADMIN[1]);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.waitFor({ state: 'detached' });
        await section.getByText('Set on this page').waitFor();
        await expect
          .poll(() => section.getByLabel('No proxy for').inputValue())
          .toBe('.corp.example');
      });
    });
  });
}
