/** Policies in a browser: made, previewed, saved, overtaken by another account, and deleted. */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { reportWith } from '../../../apps/api/src/registry/gate/report.fixture.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';
import type { Site } from '../../support/site.ts';

export function policies(site: Site): void {
  describe('policies', () => {
    let store: Store;
    let admin: Call;

    beforeAll(async () => {
      store = openStore(await site.product.databaseUrl(), sealer(Buffer.alloc(32)));
      admin = await logIn(site.product, ...ADMIN);
      await scanned('team/low', 'LOW');
      await scanned('team/high', 'HIGH');
    });
    afterAll(() => store?.close());

    async function scanned(repository: string, severity: 'LOW' | 'HIGH'): Promise<void> {
      const digest = `sha256:${Buffer.from(repository).toString('hex').padEnd(64, '0').slice(0, 64)}`;
      const at = new Date();
      await store.images.record({ repository, tag: '1.0', digest, manifests: [], at });
      const report = reportWith([{ id: `CVE-2026-${severity.length}`, severity }]);
      await store.reports.record({ digest, report, scannedAt: at });
    }

    const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
    const rule = (page: Page, name: RegExp) => page.getByRole('region', { name });
    let address = '';

    describe('an administrator', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN), /status of (409|422)/);

      it('makes a policy, sees its effect, saves versions of it, and returns to an older one', async ({
        page,
      }) => {
        // The administrator reads what the default policy blocks, and where it decides.
        await page.goto('/settings/policies');
        const row = page.getByRole('row', { name: /Default/ });
        // It follows the scan policy, which the scenario of the operation changes.
        await row.getByText(/^Blocks images with a vulnerability rated Critical\b/).waitFor();
        await row.getByText('All folders and registries without another one').waitFor();
        // The administrator makes one from the default, which decides nothing yet.
        await page.getByRole('button', { name: 'New policy' }).click();
        const form = dialog(page, 'New policy');
        await form.getByLabel('Name').fill('production');
        await form.getByRole('button', { name: 'Create' }).click();
        await page.getByRole('heading', { name: 'production', level: 1 }).waitFor();
        address = new URL(page.url()).pathname;
        // The administrator reads each rule as a sentence while it is changed.
        await page.getByRole('button', { name: 'Add rule' }).click();
        const second = rule(page, /^2\./);
        await second.getByText('Blocks images with a vulnerability rated Critical.').waitFor();
        await second.getByRole('checkbox', { name: 'Low' }).click();
        await second.getByRole('checkbox', { name: 'Critical' }).click();
        await second.getByLabel('Minimum EPSS').fill('2.5');
        await second.getByText('rated Low, with an EPSS of 3% or more.').waitFor();
        await second.getByLabel('Minimum EPSS').fill('');
        await second.getByText('Blocks images with a vulnerability rated Low.').waitFor();
        // The administrator sees the effect before it is saved.
        await page.getByRole('button', { name: 'Preview the effect' }).click();
        await page.getByText('Of 2 images, 1 would be blocked and 0 would pass again.').waitFor();
        await page
          .getByRole('row', { name: /team\/low:1\.0.*Would be blocked.*CVE-2026-3/ })
          .waitFor();
        // The administrator sorts the images by their headings, and keeps the changes.
        await scanned('team/base', 'LOW');
        await page.getByRole('button', { name: 'Preview the effect' }).click();
        await page.getByText('Of 3 images, 2 would be blocked and 0 would pass again.').waitFor();
        const names = page.getByRole('link', { name: /^team\/(?:low|base):1\.0$/ });
        const column = page.getByRole('columnheader', { name: 'Image' });
        const heading = column.getByRole('button');
        await heading.click();
        await expect.poll(() => column.getAttribute('aria-sort')).toBe('ascending');
        await expect.poll(() => names.allTextContents()).toEqual(['team/base:1.0', 'team/low:1.0']);
        await heading.click();
        await expect.poll(() => names.allTextContents()).toEqual(['team/low:1.0', 'team/base:1.0']);
        await expect.poll(() => new URL(page.url()).search).toBe('?sort=-image');
        await rule(page, /^2\./)
          .getByText('Blocks images with a vulnerability rated Low.')
          .waitFor();
        // The administrator is asked before a link loses the changes.
        await page.getByRole('link', { name: 'Overview' }).click();
        await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click();
        await page.getByRole('heading', { name: 'production', level: 1 }).waitFor();
        await page.getByText('Unsaved changes').waitFor();
        // The administrator saves a version.
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The policy was saved.').waitFor();
        await page.getByText('version 2 · in force').waitFor();
        // The administrator is told who saved another version meanwhile, and saves on top of it.
        const id = address.split('/').at(-1);
        const other = await admin('PATCH', `/api/policies/${id}`, { version: 2, grace_days: 1 });
        expect(other.status).toBe(200);
        await rule(page, /^2\./).getByRole('checkbox', { name: 'Medium' }).click();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('admin saved version 3 meanwhile.').waitFor();
        await expect.poll(() => page.getByLabel('Grace period').inputValue()).toBe('1 days');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('version 4 · in force').waitFor();
        const body = await bodyOf(admin('GET', `/api/policies/${id}`));
        expect(body).toMatchObject({ version: 4, grace_days: 1 });
        expect(body.rules[1].severities).toEqual(['MEDIUM', 'LOW']);
        // The administrator takes the terms of an older version.
        await page.getByRole('button', { name: 'Use the terms of version 1' }).click();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('version 5 · in force').waitFor();
        await expect.poll(() => rule(page, /^2\./).count()).toBe(0);
      });

      it('gives it to a folder that refuses blocked pulls, and to a registry', async ({ page }) => {
        await page.goto('/settings/folders');
        await page.getByRole('button', { name: 'Edit team' }).click();
        const folder = dialog(page, 'team');
        await folder.getByRole('combobox', { name: 'Policy' }).click();
        await page.getByRole('option', { name: 'production' }).click();
        await folder.getByRole('radio', { name: 'Refused when blocked' }).click();
        const tags = folder.getByRole('combobox', { name: 'Immutable tags' });
        await tags.fill('{v*');
        await tags.press('Enter');
        await folder.getByRole('button', { name: 'Save' }).click();
        await folder.getByText('“{v*” is not a valid pattern.').waitFor();
        await tags.press('Backspace');
        await tags.fill('v*');
        await tags.press('Enter');
        const quota = folder.getByRole('textbox', { name: 'Quota' });
        await quota.fill('0');
        await folder.getByRole('button', { name: 'Save' }).click();
        await expect.poll(() => quota.getAttribute('aria-invalid')).toBe('true');
        await quota.fill('1.5');
        await folder.getByRole('combobox', { name: 'Unit' }).selectOption('TB');
        await folder.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Blocked pulls are refused · Policy: production').waitFor();
        await page.goto('/folders/team');
        await page.getByText('Once such a tag exists, it is neither moved nor deleted.').waitFor();
        const meter = page.getByRole('meter', { name: 'Quota used' });
        await expect.poll(() => meter.getAttribute('aria-valuetext')).toMatch(/ of 1\.5 TB$/);
        const saved = await admin('GET', '/api/folders/team');
        expect(saved.body.quota_bytes).toBe(1_500_000_000_000);
        await page.goto('/registries');
        await page.getByRole('button', { name: 'Add registry' }).first().click();
        const registry = dialog(page, 'Add registry');
        await registry.getByRole('textbox', { name: 'Name', exact: true }).fill('elsewhere');
        await registry.getByRole('textbox', { name: 'Host' }).fill('registry.example.com');
        await registry.getByRole('combobox', { name: 'Policy' }).click();
        await page.getByRole('option', { name: 'production' }).click();
        await registry.getByRole('button', { name: 'Save' }).click();
        await page.getByText('elsewhere was saved.').waitFor();
        await page.goto('/settings/policies');
        await page
          .getByRole('row', { name: /production.*Folders: team.*Registries: elsewhere/ })
          .waitFor();
      });

      it('can not delete it while a folder uses it, and then can', async ({ page }) => {
        await page.goto('/settings/policies');
        await page.getByRole('link', { name: 'production' }).click();
        await page.getByRole('button', { name: 'Delete policy' }).click();
        const confirm = dialog(page, 'Delete the policy production?');
        await confirm.getByRole('button', { name: 'Delete policy' }).click();
        await confirm.getByText('Folders or registries still use this policy.').waitFor();
        for (const [list, change] of [
          ['folders', { policy_id: null, pull_gate: 'off' }],
          ['registries', { policy_id: null }],
        ] as const) {
          const body = await bodyOf(admin('GET', `/api/${list}`));
          const id = address.split('/').at(-1);
          for (const used of body.filter((each: { policy_id: string }) => each.policy_id === id))
            await admin('PATCH', `/api/${list}/${used.id}`, change);
        }
        await confirm.getByRole('button', { name: 'Delete policy' }).click();
        await page.getByRole('heading', { name: 'Policies' }).waitFor();
        await page.getByRole('link', { name: 'production' }).waitFor({ state: 'detached' });
      });
    });

    describe('a developer', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

      it('reads that the page is for administrators', async ({ page }) => {
        await page.goto('/settings/policies');
        await page.getByRole('heading', { name: /administrators/i }).waitFor();
      });
    });
  });
}
