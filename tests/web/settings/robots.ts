/** Robots and trust rules in a browser: made, limited, rotated, revoked, tried and deleted. */
import { type CiIssuer, githubClaims, json, startCiIssuer } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

export function robots(site: Site): void {
  describe('robots', () => {
    let issuer: CiIssuer;

    beforeAll(async () => {
      issuer = await startCiIssuer();
    });
    afterAll(() => issuer?.stop());

    const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

    async function shownToken(page: Page): Promise<string> {
      const made = dialog(page, 'Copy your token now');
      const text = (await made.getByText(/^pc[tlr]_/).textContent()) ?? '';
      await made.getByRole('button', { name: 'Close' }).click();
      return text;
    }

    function statusOf(token: string): Promise<number> {
      const authorization = `Bearer ${token}`;
      return fetch(`${site.url}/api/auth/me`, { headers: { authorization } }).then(
        ({ status }) => status,
      );
    }

    async function disabledRobots(page: Page): Promise<string[]> {
      const robots = await json(page.request.get(`${site.url}/api/robots`));
      return robots.flatMap(({ name, disabled }: { name: string; disabled: boolean }) =>
        disabled ? [name] : [],
      );
    }

    describe('an administrator', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));
      let first = '';

      it('makes a robot with a token, rotates and revokes it, adds a trust rule, and deletes the robot', async ({
        page,
      }) => {
        // The administrator makes a robot.
        await page.goto('/settings/robots');
        await page.getByText('No robots yet').waitFor();
        await page.getByRole('button', { name: 'New robot' }).click();
        const form = dialog(page, 'New robot');
        await form.getByLabel('Name').fill('acme-ci');
        await form.getByLabel('Description').fill('Builds of acme/app');
        await form.getByRole('button', { name: 'Create robot' }).click();
        await dialog(page, 'Tokens of acme-ci').getByText('no token yet').waitFor();
        // The administrator makes a limited token for it, which is shown once.
        {
          await dialog(page, 'Tokens of acme-ci')
            .getByRole('button', { name: 'New token' })
            .click();
          const form = dialog(page, 'New token');
          await form.getByLabel('Name').fill('pipeline');
          await form.getByRole('radio', { name: 'Limited' }).check();
          await form.getByLabel('The REST API').check();
          await form.getByLabel('Push images').check();
          await form.getByRole('button', { name: 'Create token' }).click();
          first = await shownToken(page);
          expect(first).toMatch(/^pcr_/);
          expect(await statusOf(first)).toBe(200);
          const row = dialog(page, 'Tokens of acme-ci').getByRole('row', { name: /pipeline/ });
          await row.getByText(/All folders\s· Read images, Push images/).waitFor();
        }
        // The administrator rotates the token without an overlap, and revokes the new one.
        {
          const list = dialog(page, 'Tokens of acme-ci');
          await list.getByRole('button', { name: 'Rotate pipeline' }).click();
          const form = dialog(page, 'Rotate pipeline');
          await form.getByRole('combobox').click();
          await page.getByRole('option', { name: 'not at all' }).click();
          await form.getByRole('button', { name: 'Rotate' }).click();
          const text = (await form.getByText(/^pcr_/).textContent()) ?? '';
          await form.getByRole('button', { name: 'Close' }).click();
          expect([await statusOf(first), await statusOf(text)]).toEqual([401, 200]);
          // By the end of the token: the list may still have the one before.
          const renewed = list.getByRole('row', { name: text.slice(-4) });
          await renewed.getByRole('button', { name: 'Revoke pipeline' }).click();
          const confirm = dialog(page, 'Revoke pipeline?');
          await confirm.getByRole('button', { name: 'Revoke' }).click();
          await confirm.waitFor({ state: 'hidden' });
          await expect.poll(() => statusOf(text)).toBe(401);
          await page.keyboard.press('Escape');
          await list.waitFor({ state: 'hidden' });
        }
        // The administrator reads at the field why a trust rule is too wide.
        {
          await page.getByRole('button', { name: 'New trust rule' }).click();
          const form = dialog(page, 'New trust rule');
          await form.getByRole('textbox', { name: 'Name', exact: true }).fill('main');
          await form.getByRole('combobox', { name: 'Issuer' }).click();
          await page.getByRole('option', { name: 'Another issuer' }).click();
          await form.getByLabel('Issuer URL').fill(issuer.issuer);
          await form.getByLabel('Audience').fill('portcullis');
          await form.getByLabel('Conditions').fill('ref');
          await form.getByText('Line 1 is not of the form name = value.').waitFor();
          await form.getByLabel('Conditions').fill('ref = refs/heads/main');
          await form.getByRole('button', { name: 'Create rule' }).click();
          await form
            .getByText(/Tokens of any owner would match/)
            .first()
            .waitFor();
          await form.getByLabel('Conditions').fill('repository = acme/app\nref = refs/heads/main');
          await form.getByRole('button', { name: 'Create rule' }).click();
          await form.waitFor({ state: 'hidden' });
          await page.getByRole('row', { name: /main.*acme-ci/ }).waitFor();
        }
        // The administrator tries a token, and sees which rule accepts it or why it does not.
        const field = page.getByLabel('Identity token');
        const button = page.getByRole('button', { name: 'Try a token' });
        await field.fill(issuer.sign(githubClaims()));
        await button.click();
        await page.getByText('main accepts it').waitFor();
        await field.fill(issuer.sign(githubClaims({ ref: 'refs/heads/dev' })));
        await button.click();
        await page.getByText('main refuses it').waitFor();
        await page.getByText('ref is refs/heads/dev').waitFor();
        await field.fill(issuer.sign(githubClaims(), { stranger: true }));
        await button.click();
        await page.getByText('The identity token is not valid.').waitFor();
        // The administrator disables the robot with the bar of the list, and enables it again.
        {
          const bar = page.getByRole('region', { name: /^Selected rows/ });
          for (const [action, isDisabled] of [
            ['Disable', true],
            ['Enable', false],
          ] as const) {
            await page.getByRole('checkbox', { name: 'Select acme-ci', exact: true }).check();
            await bar.getByRole('button', { name: action, exact: true }).click();
            await expect.poll(() => disabledRobots(page)).toEqual(isDisabled ? ['acme-ci'] : []);
          }
        }
        // The administrator deletes the robot with its rules.
        {
          await page.getByRole('button', { name: 'Edit: acme-ci' }).click();
          await dialog(page, 'acme-ci').getByRole('button', { name: 'Delete' }).click();
          const confirm = dialog(page, 'Delete acme-ci?');
          await confirm.getByRole('button', { name: 'Delete robot' }).click();
          await page.getByText('No robots yet').waitFor();
        }
      });
    });

    describe('another account', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

      it('reads that none of its groups owns a robot, and sees no trust rules', async ({
        page,
      }) => {
        await page.goto('/settings/robots');
        await page.getByText('None of your groups owns a robot.', { exact: false }).waitFor();
        await expect.poll(() => page.getByText('Keyless sign-in').count()).toBe(0);
      });
    });
  });
}
