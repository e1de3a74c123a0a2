/** Forms with unsaved changes: dialogs ask before they close, and a reload keeps a draft. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

export function unsaved(site: Site): void {
  describe('unsaved', () => {
    const button = (place: Page | Locator, name: string) =>
      place.getByRole('button', { name, exact: true });
    const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

    interface Form {
      /** What it edits, for the name of the test. */
      subject: string;
      address: string;
      open: string;
      title: string;
      field: string;
    }

    const FORMS: readonly Form[] = [
      {
        ...{ subject: 'a new account', address: '/settings/users', open: 'New user' },
        ...{ title: 'New user', field: 'Username' },
      },
      {
        ...{ subject: 'an account', address: '/settings/users', open: DEVELOPER[0] },
        ...{ title: DEVELOPER[0], field: 'E-mail' },
      },
      {
        ...{ subject: 'a registry', address: '/registries', open: 'Add registry' },
        ...{ title: 'Add registry', field: 'Name' },
      },
      {
        ...{ subject: 'a webhook', address: '/settings/webhooks', open: 'New webhook' },
        ...{ title: 'New webhook', field: 'Name' },
      },
    ];

    describe('the settings of', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

      it.for([
        ['the network', '/settings/network', 'From'],
        ['single sign-on', '/settings/sign-on', 'Issuer URL'],
        ['scans', '/system', 'Scan timeout'],
      ] as const)(
        '%s ask before they are left, and before the page is closed',
        async ([, address, label], { page }) => {
          await page.goto(address);
          const field = page.getByLabel(label, { exact: true }).first();
          await field.fill('123');
          await page.getByRole('link', { name: 'Vulnerabilities' }).click();
          await button(dialog(page, 'Leave without saving?'), 'Stay').click();
          await expect.poll(() => field.inputValue()).toContain('123');
          const asked = page.waitForEvent('dialog');
          await page.close({ runBeforeUnload: true });
          const question = await asked;
          expect(question.type()).toBe('beforeunload');
          await question.dismiss();
          await page.getByRole('link', { name: 'Vulnerabilities' }).click();
          await button(dialog(page, 'Leave without saving?'), 'Leave').click();
          await page.waitForURL('**/vulnerabilities');
        },
      );
    });

    describe('the form of a pull', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

      it('asks before a link leaves it with an image', async ({ page }) => {
        const image = page.getByRole('combobox', { name: 'Image' });
        await page.goto('/staging/new');
        await image.fill('library/nginx:1.27');
        await page.getByRole('link', { name: 'Vulnerabilities' }).click();
        await button(page, 'Stay').click();
        await expect.poll(() => image.inputValue()).toContain('library/nginx');
        await page.getByRole('link', { name: 'Vulnerabilities' }).click();
        await button(page, 'Leave').click();
        await page.waitForURL('**/vulnerabilities');
      });
    });

    describe('the dialog of', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

      it.for(FORMS)('$subject closes at once without changes', async (form, { page }) => {
        await page.goto(form.address);
        await button(page.getByRole('main'), form.open).first().click();
        const shown = dialog(page, form.title);
        await shown.getByLabel(form.field).first().waitFor();
        await page.keyboard.press('Escape');
        await shown.waitFor({ state: 'detached' });
      });

      it.for(FORMS)('$subject asks before it discards changes', async (form, { page }) => {
        await page.goto(form.address);
        await button(page.getByRole('main'), form.open).first().click();
        const shown = dialog(page, form.title);
        const field = shown.getByLabel(form.field).first();
        const question = dialog(page, 'Leave without saving?');
        await field.fill('changed');
        await page.keyboard.press('Escape');
        await button(question, 'Stay').waitFor();
        // The key answers the question alone.
        await page.keyboard.press('Escape');
        await question.waitFor({ state: 'detached' });
        await expect.poll(() => field.inputValue()).toBe('changed');
        await button(shown, 'Cancel').last().click();
        await button(question, 'Stay').click();
        await question.waitFor({ state: 'detached' });
        await page.mouse.click(5, 400);
        await button(question, 'Leave').click();
        await shown.waitFor({ state: 'detached' });
        await button(page.getByRole('main'), form.open).first().click();
        await expect.poll(() => field.inputValue()).not.toBe('changed');
        await page.keyboard.press('Escape');
        await shown.waitFor({ state: 'detached' });
      });

      it('an account closes without a question once it is saved', async ({ page }) => {
        await page.goto('/settings/users');
        await button(page.getByRole('main'), DEVELOPER[0]).click();
        const shown = dialog(page, DEVELOPER[0]);
        await shown.getByLabel('E-mail').fill('dev@example.com');
        await button(shown, 'Save').click();
        await page.getByText('dev@example.com').first().waitFor();
        await shown.waitFor({ state: 'detached' });
        await expect.poll(() => dialog(page, 'Leave without saving?').count()).toBe(0);
        await page.getByRole('link', { name: 'Vulnerabilities' }).click();
        await page.waitForURL('**/vulnerabilities');
      });
    });

    describe('a new schedule', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));
      const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
      const repository = (page: Page) => page.getByRole('textbox', { name: 'Repository' });
      const words = 'At 04:15, only on Tuesday';

      it('keeps its draft over a reload, and asks before a link leaves it', async ({ page }) => {
        // A new schedule keeps its draft over a reload.
        await page.goto('/transfers/schedules/new');
        await name(page).fill('Nightly');
        await page.getByLabel('Enabled').uncheck();
        await page.getByRole('combobox', { name: 'Frequency' }).click();
        await page.getByRole('option', { name: 'Cron expression' }).click();
        await page.getByRole('textbox', { name: 'Cron expression' }).fill('15 4 * * 2');
        await button(page, 'Add line').click();
        await repository(page).fill('library/nginx');
        await page.getByText(words, { exact: true }).waitFor();
        await page.reload();
        await expect.poll(() => name(page).inputValue()).toBe('Nightly');
        await expect.poll(() => page.getByLabel('Enabled').isChecked()).toBe(false);
        // It is shown by its parts where it has a common form.
        await page.getByText(words, { exact: true }).waitFor();
        const frequency = page.getByRole('combobox', { name: 'Frequency' });
        await expect.poll(() => frequency.inputValue()).toBe('Every week');
        await expect
          .poll(() => page.getByLabel('Time', { exact: true }).inputValue())
          .toBe('04:15');
        const days = page.getByRole('group', { name: 'Days of the week' });
        await expect.poll(() => days.getByRole('checkbox', { name: 'Tue' }).isChecked()).toBe(true);
        await expect.poll(() => days.getByRole('checkbox', { checked: true }).count()).toBe(1);
        await expect.poll(() => repository(page).inputValue()).toBe('library/nginx');
        // A new schedule asks before a link leaves it, and begins anew after that.
        await page.getByRole('link', { name: 'Vulnerabilities' }).click();
        await button(page, 'Stay').click();
        await expect.poll(() => name(page).inputValue()).toBe('Nightly');
        await page.getByRole('link', { name: 'Vulnerabilities' }).click();
        await button(page, 'Leave').click();
        await page.waitForURL('**/vulnerabilities');
        await page.goto('/transfers/schedules/new');
        await name(page).waitFor();
        await expect.poll(() => name(page).inputValue()).toBe('');
      });
    });
  });
}
