/** The audit log, System, the scan policy and single sign-on in a browser. */
import { beforeAll, describe, expect } from 'vitest';
import { onPhone, signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { logIn } from '../../support/product.ts';
import type { Site } from '../../support/site.ts';

/** What the check for releases finds. */
export const RELEASE = {
  tag_name: 'v99.1.0',
  html_url: 'https://releases.test/v99.1.0',
  published_at: '2026-11-20T12:00:00Z',
};

export function operation(site: Site): void {
  describe('operation', () => {
    const DENIED = ['olga', 'asks for what is denied'] as const;

    describe('an administrator in operation', () => {
      beforeAll(async () => {
        const admin = await logIn(site.product, ...ADMIN);
        const [username, password] = DENIED;
        expect((await admin('POST', '/api/auth/users', { username, password })).status).toBe(201);
        const group = await admin('POST', '/api/groups', { name: 'packers' });
        expect((await admin('POST', '/api/folders', { name: 'parcels' })).status).toBe(201);
        const grant = { group_id: group.body.id, can_pull: true };
        const granted = await admin('PUT', '/api/folders/parcels/permissions', grant);
        expect(granted.status).toBe(200);
      });
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN), /status of 409/);

      it('finds grants in the audit log by account, event and words', async ({ page }) => {
        await page.goto('/audit');
        await page.getByRole('button', { name: 'Grant permissions on a folder' }).first().waitFor();
        await onPhone(page, 'audit', async () => {
          const highest = async () => {
            const heights = await page
              .getByRole('row')
              .evaluateAll((rows) => rows.map((row) => row.clientHeight));
            return Math.max(...heights.slice(1, 6));
          };
          // Two lines of the name, the resource, and one line with the rest.
          await expect.poll(highest).toBeLessThan(96);
        });
        await page.keyboard.press('/');
        await page.keyboard.type('folder.grant');
        await expect.poll(() => new URL(page.url()).search).toBe('?q=folder.grant');
        await page.getByRole('searchbox').first().fill('');
        await page.getByRole('combobox', { name: 'Event' }).fill('group.cr');
        await page.getByRole('option', { name: 'Create a group group.create' }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?event=group.create');
        await page
          .getByRole('button', { name: 'Grant permissions on a folder' })
          .first()
          .waitFor({ state: 'detached' });
        await page.getByRole('row', { name: 'group.create' }).getByText('Success').waitFor();
        await page.getByRole('button', { name: 'Create a group' }).click();
        const event = page.getByRole('dialog');
        await event.getByText('POST /api/groups').waitFor();
        await event.getByRole('button', { name: 'Only admin' }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?actor=admin&event=group.create');
        await page.getByRole('searchbox', { name: 'Account' }).fill('nobody');
        await page.getByRole('heading', { name: 'No matching events' }).waitFor();
        await page.getByRole('button', { name: 'Clear filters' }).first().click();
        await page.getByRole('button', { name: 'Grant permissions on a folder' }).first().waitFor();
      });

      it('finds by the outcome what was denied', async ({ page }) => {
        const mira = await logIn(site.product, ...DENIED);
        expect((await mira('GET', '/api/auth/users')).status).toBe(403);
        await page.goto('/audit');
        const events = page.getByRole('table').getByRole('row');
        await events.filter({ hasText: 'Success' }).first().waitFor();
        await page.getByRole('combobox', { name: 'Outcome' }).click();
        await page.getByRole('option', { name: 'Denied' }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?outcome=denied');
        await events.filter({ hasText: 'Success' }).first().waitFor({ state: 'detached' });
        const denied = events.filter({ hasText: 'Request without permission' });
        await denied.filter({ hasText: DENIED[0] }).first().waitFor();
        await expect.poll(() => denied.first().getAttribute('data-tone')).toBe('high');
        await page.getByRole('button', { name: 'Save filter…' }).click();
        await page.getByRole('textbox', { name: 'Name' }).fill('Refusals');
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await page.getByRole('link', { name: 'Refusals', exact: true }).waitFor();
        await page.goto('/audit');
        const success = events.filter({ hasText: 'Success' }).first();
        await success.waitFor();
        await expect.poll(() => success.getAttribute('data-tone')).toBeNull();
        await page.getByRole('link', { name: 'Refusals', exact: true }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?outcome=denied');
        await page.getByRole('combobox', { name: 'Outcome' }).click();
        await page.getByRole('option', { name: 'Failure' }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?outcome=failure');
        await denied.first().waitFor({ state: 'detached' });
        await page.goto('/audit');
        await events.filter({ hasText: 'Success' }).first().waitFor();
      });

      it('keeps both of two filters that change at the same time', async ({ page }) => {
        await page.goto('/audit');
        await page
          .getByRole('search')
          .first()
          .evaluate((fields) => {
            for (const [at, text] of ['folder', 'admin'].entries()) {
              const field = fields.querySelectorAll('input')[at];
              const setValue = Object.getOwnPropertyDescriptor(
                HTMLInputElement.prototype,
                'value',
              )?.set;
              setValue?.call(field, text);
              field?.dispatchEvent(new Event('input', { bubbles: true }));
            }
          });
        await expect.poll(() => new URL(page.url()).search).toBe('?actor=admin&q=folder');
        await page.getByRole('button', { name: 'Clear filters' }).first().click();
      });

      it('sees new events without a reload', async ({ page }) => {
        await page.goto('/audit');
        await page.getByRole('switch', { name: 'Live' }).check();
        await fetch(`${site.url}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'nosuchperson', password: 'x' }),
        });
        await page.getByRole('cell', { name: 'nosuchperson' }).first().waitFor();
      });

      it('exports the filtered events', async ({ page }) => {
        await page.goto('/audit');
        await page.getByRole('combobox', { name: 'Event' }).fill('group.cr');
        await page.getByRole('option', { name: 'Create a group group.create' }).click();
        await expect.poll(() => new URL(page.url()).search).toBe('?event=group.create');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Export' }).click(),
        ]);
        expect(await download.failure()).toBeNull();
        expect(download.suggestedFilename()).toContain('.jsonl');
      });

      it('sees running and waiting work, and does a dry run of the garbage collection', async ({
        page,
      }) => {
        await page.goto('/system');
        const release = page.getByRole('link', { name: /^99\.1\.0 of .*2026 is available/ });
        await expect.poll(() => release.getAttribute('href')).toBe(RELEASE.html_url);
        await page.getByRole('row', { name: /^notifier/ }).waitFor();
        await page.getByRole('row', { name: /^worker/ }).waitFor();
        await page.getByRole('button', { name: 'Dry run' }).click();
        // A worker with the registry's storage does it, or the page shows the refusal.
        await page.getByText(/^Would delete|^No running worker has/).waitFor();
      });

      it('changes the scan policy, which is explained and kept', async ({ page }) => {
        await page.goto('/settings/scan');
        await page.getByText('Images are not scanned.').waitFor();
        // Without a scanner in the installation it can't be enabled; other settings can be changed.
        await expect
          .poll(() => page.getByRole('switch', { name: 'Scan every image' }).isDisabled())
          .toBe(true);
        await page.getByRole('checkbox', { name: 'Medium' }).check();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Set on this page').waitFor();
        await page.reload();
        await page.getByText('Set on this page').waitFor();
        await expect
          .poll(() => page.getByRole('checkbox', { name: 'Medium' }).isChecked())
          .toBe(true);
        await expect
          .poll(() => page.getByRole('checkbox', { name: 'Low' }).isChecked())
          .toBe(false);
      });

      it('tests single sign-on before saving it, and reads each step', async ({ page }) => {
        await page.goto('/settings/sign-on');
        await page
          .getByRole('textbox', { name: 'Issuer URL' })
          .fill('http://127.0.0.1:1/realms/main');
        await page.getByLabel('Client ID').fill('portcullis');
        await page.getByRole('button', { name: 'Test connection' }).click();
        await page.getByText('Connection failed').waitFor();
        const height = (role: 'combobox' | 'textbox', name: string) =>
          page
            .getByRole(role, { name })
            .evaluate((input) => input.closest('.mantine-InputWrapper-root')?.clientHeight);
        expect(await height('combobox', 'Scopes')).toBe(await height('textbox', 'Provider name'));
      });
    });
  });
}
