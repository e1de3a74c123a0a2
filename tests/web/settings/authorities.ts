/** Authorities in a browser: an empty list that leads, a form that says what is wrong, a list. */
import { generateKeyPairSync } from 'node:crypto';
import { json } from '@portcullis/testing';
import { describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

export function authorities(site: Site): void {
  describe('authorities', () => {
    const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

    it('are made with keys, shown, replaced by an identity, and deleted', async ({ page }) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const secret = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      const keys = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
      await page.goto('/settings/policies');
      await page.getByRole('link', { name: 'Authorities' }).first().click();
      await page.getByText('No authorities yet').waitFor();
      await page.getByRole('button', { name: 'New authority' }).click();
      const form = page.getByRole('dialog', { name: 'New authority' });
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('release');
      await form.getByLabel('Public keys').last().fill(secret);
      await form.getByRole('button', { name: 'Create authority' }).click();
      await form.getByText('This is a private key.').first().waitFor();
      await form.getByLabel('Public keys').last().fill(keys);
      await form.getByRole('button', { name: 'Create authority' }).click();
      await form.waitFor({ state: 'hidden' });
      const row = page.getByRole('row', { name: /release/ });
      await row.getByText(/^sha256:[0-9a-f]{64}$/).waitFor();
      await row.getByText('Not used yet').waitFor();

      await row.getByRole('button', { name: 'release' }).click();
      const stored = page.getByRole('dialog', { name: 'release' });
      await stored.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'Identity without a key' }).click();
      await stored.getByLabel('Subject').fill('https://github.com/**');
      await stored.getByRole('button', { name: 'Save' }).click();
      await stored.getByText('This would match strangers').first().waitFor();
      await stored.getByLabel('Subject').fill('https://github.com/acme/**');
      await stored.getByRole('button', { name: 'Save' }).click();
      await stored.waitFor({ state: 'hidden' });
      await row.getByText('Version 2').waitFor();
      await page.getByText(/The root of the public Sigstore is of/).waitFor();
      const { terms } = await json(page.request.get(`${site.url}/api/authorities/release`));
      expect(terms).toMatchObject({ subject: 'https://github.com/acme/**', root: 'sigstore' });

      await row.getByRole('button', { name: 'release' }).click();
      await stored.getByRole('button', { name: 'Delete…' }).click();
      await page
        .getByRole('dialog', { name: 'Delete release?' })
        .getByRole('button', { name: 'Delete authority' })
        .click();
      await page.getByText('No authorities yet').waitFor();
    });
  });
}
