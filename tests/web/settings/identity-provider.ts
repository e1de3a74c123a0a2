/** Signing in with an identity provider in a browser. */
import { startOidcProvider, type TestOidcProvider } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { visit, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { logIn } from '../../support/product.ts';
import type { Site } from '../../support/site.ts';

export function identityProvider(site: Site): void {
  describe('identity provider', () => {
    describe('a user of the identity provider', () => {
      let provider: TestOidcProvider;
      let admin: Awaited<ReturnType<typeof logIn>>;
      beforeAll(async () => {
        provider = await startOidcProvider({ redirectUris: [`${site.url}/api/oidc/callback`] });
        provider.account('ann', { preferred_username: 'ann', groups: ['staff'] });
        admin = await logIn(site.product, ...ADMIN);
        const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
        const settings = { enabled: true, provider_name: 'Acme', issuer, client_id, client_secret };
        expect((await admin('PUT', '/api/oidc/settings', settings)).status).toBe(200);
      });
      afterAll(() => provider?.stop());
      const it = visitedBy(() => visit(site.browser, site.url));

      const atProvider = async (page: Page, act: 'login' | 'refuse') => {
        await page.getByRole('link', { name: 'Sign in with Acme' }).click();
        await page.waitForURL(`${provider.issuer}/**`);
        await page.fill('input[name=name]', 'ann');
        await page.click(`button[value=${act}]`);
      };

      it('reads why the provider refused', async ({ page }) => {
        await page.goto('/images');
        await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
        await atProvider(page, 'refuse');
        await page.getByText('The identity provider refused to sign you in.').waitFor();
        await expect.poll(() => new URL(page.url()).pathname).toBe('/login');
      });

      it.for([
        [
          'OIDC_STATE_INVALID',
          'This sign-in expired or was started in another browser. Try again.',
        ],
        ['OIDC_NOT_ALLOWED', 'None of your groups is allowed to sign in here.'],
        ['OIDC_PROVIDER_UNAVAILABLE', 'The identity provider cannot be reached.'],
        ['SOMETHING_NEW', 'Signing in with the identity provider failed.'],
      ] as const)('reads what %s means', async ([code, words], { page }) => {
        await page.goto(`/login?error=${code}`);
        await page.getByRole('alert').getByText(words).waitFor();
      });

      it('reads once that groups were not applied, while settings need them', async ({ page }) => {
        await admin('PUT', '/api/oidc/settings', { admin_groups: ['chiefs'] });
        provider.account('ann', { preferred_username: 'ann' });
        await page.goto('/staging');
        await atProvider(page, 'login');
        const notice = page.getByText('The identity provider did not send your groups');
        await notice.waitFor();
        await page.reload();
        await page.getByRole('heading', { name: 'Pulls', exact: true }).waitFor();
        await expect.poll(() => notice.count()).toBe(0);
        provider.account('ann', { preferred_username: 'ann', groups: ['staff'] });
        await admin('PUT', '/api/oidc/settings', { admin_groups: null });
      });

      it('returns signed in to the requested page', async ({ page }) => {
        await page.goto('/images');
        await atProvider(page, 'login');
        await page.getByRole('heading', { name: 'Repositories', exact: true }).waitFor();
        await expect.poll(() => new URL(page.url()).origin).toBe(site.url);
        await page.getByRole('button', { name: 'ann', exact: true }).waitFor();
        await page.goto('/settings/account');
        await page.getByText('Change the password there').waitFor();
        await expect.poll(() => page.getByLabel('Current password').count()).toBe(0);
      });
    });
  });
}
