/**
 * The settings in a browser, one scenario of each kind: a token, rights, tabs, unsaved changes and
 * a lost connection. The others are in web-settings.night.test.ts.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { signedIn, visitedBy, withoutTimers } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, logIn } from '../../support/product.ts';
import type { Site } from '../../support/site.ts';

const STRANGER = ['outsider', 'no folder is granted to me'] as const;

/** @param site with `DEVELOPER` */
export function settingsOfEachKind(site: Site): void {
  beforeAll(async () => {
    const admin = await logIn(site.product, ...ADMIN);
    const [username, password] = STRANGER;
    await bodyOf(admin('POST', '/api/auth/users', { username, password }));
  });

  describe('a developer', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

    it('creates a token, sees it once, and uses it', async ({ page }) => {
      await page.goto('/settings/account');
      await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByRole('dialog', { name: 'New token' }).getByLabel('Name').fill('laptop');
      await page.getByRole('radio', { name: /REST API/ }).check();
      await page.getByRole('button', { name: 'Create token' }).click();
      const made = page.getByRole('dialog', { name: 'Copy your token now' });
      const token = (await made.locator('code').first().textContent()) ?? '';
      expect(token).toMatch(/^pct_/);
      const me = await fetch(`${site.url}/api/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(me.status).toBe(200);
      await made.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('cell', { name: /^laptop/ }).waitFor();
      // The dialog closes with an animation.
      await expect.poll(() => page.content()).not.toContain(token);
      await page.getByRole('button', { name: 'Revoke laptop' }).click();
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
      const after = await fetch(`${site.url}/api/auth/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(after.status).toBe(401);
    });

    it('reads at once that there is no connection, and is live again by itself', async ({
      page,
    }) => {
      await page.clock.install();
      await page.goto('/staging');
      await page.getByText('Live', { exact: true }).waitFor();
      // Not after the time without a heartbeat.
      await withoutTimers(page, async () => {
        await page.context().setOffline(true);
        await page.getByText('No connection to the server').waitFor();
      });
      // A browser reports the network some moments before it lets a request through.
      await page.context().setOffline(false);
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText('No connection to the server').waitFor({ state: 'detached' });
    });
  });

  describe('an account without rights', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, STRANGER));

    it('is led to the start from an address without a page', async ({ page }) => {
      await page.goto('/no-such-page');
      await page.getByText('There is no page at this address.').waitFor();
      await page.getByRole('link', { name: 'Go to the start' }).click();
      await page.waitForURL('**/staging');
      await page.getByText('Ask an administrator to add your account to one.').waitFor();
    });

    it('gets a message where they try anyway', async ({ page }) => {
      await page.goto('/staging/new');
      await page.getByRole('combobox', { name: 'Image' }).fill('registry.example/acme/plain:1.0');
      await page.getByRole('button', { name: 'Pull and scan' }).click();
      await page
        .getByRole('alert')
        .getByText(/You are not allowed to pull from other registries\./)
        .first()
        .waitFor();
    });
  });

  describe('an administrator', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));
    const tabs = (page: Page) =>
      page.getByRole('main').getByRole('navigation', { name: 'Incoming' }).getByRole('link');
    const current = (page: Page) =>
      page.getByRole('navigation').locator('[aria-current=page]').allTextContents();

    it('reads tabs that are addresses: Back returns to the one before, with its filter', async ({
      page,
    }) => {
      await page.goto('/staging?show=blocked');
      await tabs(page).getByText('Schedules').click();
      await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
      await tabs(page).getByText('Registries').click();
      await page.getByRole('heading', { name: 'Registries', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
      await page.goBack();
      await page.waitForURL('**/staging?show=blocked');
      await page.reload();
      await expect.poll(() => current(page)).toEqual(['Incoming', 'Pulls']);
    });

    it('is asked before selected groups are deleted', async ({ page }) => {
      const admin = await logIn(site.product, ...ADMIN);
      const names = ['first', 'second'];
      for (const name of names) await bodyOf(admin('POST', '/api/groups', { name }));
      await page.goto('/settings/groups');
      for (const name of names)
        await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
      const bar = page.getByRole('region', { name: 'Selected rows' });
      await bar.getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('dialog');
      await question.getByText('first and second').waitFor();
      await question.getByRole('button', { name: 'Delete' }).click();
      const left = async () =>
        (await bodyOf(admin('GET', '/api/groups'))).map(({ name }: { name: string }) => name);
      await expect.poll(left).toEqual(['developers']);
    });

    it('is asked before an account’s dialog discards changes', async ({ page }) => {
      await page.goto('/settings/users');
      await page.getByRole('main').getByRole('button', { name: DEVELOPER[0], exact: true }).click();
      const shown = page.getByRole('dialog', { name: DEVELOPER[0], exact: true });
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      const field = shown.getByLabel('E-mail');
      await field.fill('changed');
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'detached' });
      await expect.poll(() => field.inputValue()).toBe('changed');
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Leave' }).click();
      await shown.waitFor({ state: 'detached' });
    });
  });
}
