/** Webhooks in a browser: created, tested, replayed, failing, disabled, and deleted. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Receiver, startReceiver } from '../../notifier/receiver.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

export function webhooks(site: Site): void {
  describe('webhooks', () => {
    let receiver: Receiver;

    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver?.[Symbol.asyncDispose]());

    const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
    const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    const secretDialog = (page: Page) => dialog(page, 'Copy the secret now');

    async function shownSecret(page: Page): Promise<string> {
      const shown = secretDialog(page).getByText(/^whsec_/);
      await shown.waitFor();
      return (await shown.textContent()) ?? '';
    }

    const answered = (status: number, headers: OutgoingHttpHeaders = {}) => {
      receiver.answer = (response) => response.writeHead(status, headers).end();
    };

    /** Far beyond the test, which itself decides when the delivery is sent again. */
    const NOT_SOON = { 'retry-after': '3600' };

    describe('an administrator', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN), /status of (?:422|404)/);
      let address = '';

      it('reads why an address is refused, and creates a webhook whose secret is shown once', async ({
        page,
      }) => {
        // The administrator reads on the empty page what to do.
        await page.goto('/settings/webhooks');
        await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
        await page.getByText('You need the URL of a receiver.').waitFor();
        // The administrator reads at the field why a private address is refused.
        await button(page, 'New webhook').click();
        const form = dialog(page, 'New webhook');
        await form.getByLabel('Name').fill('tickets');
        await form.getByLabel('URL').fill('http://10.1.2.3/hook');
        await form.getByRole('button', { name: 'Create webhook' }).click();
        await form.getByText('This is a private address.').waitFor();
        // The administrator creates one, whose secret is shown once.
        {
          const form = dialog(page, 'New webhook');
          await form.getByLabel('URL').fill(receiver.url);
          await form.getByRole('combobox', { name: 'Folder' }).click();
          await page.getByRole('option', { name: 'team' }).click();
          await form.getByRole('checkbox', { name: 'Job failed' }).click();
          await form.getByRole('button', { name: 'Create webhook' }).click();
          const secret = await shownSecret(page);
          receiver.secrets.push(secret);
          await page.keyboard.press('Escape');
          expect(await shownSecret(page)).toBe(secret);
          await secretDialog(page).getByRole('button', { name: 'Close' }).click();
          await page.getByRole('heading', { name: 'tickets', level: 1 }).waitFor();
          address = new URL(page.url()).pathname;
          await page.getByText('No deliveries yet').waitFor();
          // The dialog closes with an animation.
          await expect.poll(() => page.content()).not.toContain(secret);
          expect(await page.content()).not.toContain('t0p');
        }
      });

      it('sends a test, which the receiver verifies with the secret', async ({ page }) => {
        await page.goto(address);
        await button(page, 'Send test').click();
        await row(page, /Test message.*Delivered.*HTTP 204/).waitFor();
        expect(receiver.received).toMatchObject([
          { body: { type: 'io.portcullis.webhook.test' }, verifiedBy: [0] },
        ]);
      });

      it('reads what was sent, and sends it again under the same id', async ({ page }) => {
        await page.goto(address);
        await button(page, 'Test message').click();
        const drawer = dialog(page, 'Delivery');
        await drawer.getByText('io.portcullis.webhook.test').waitFor();
        await drawer.getByRole('button', { name: 'Replay Test message' }).click();
        await expect.poll(() => receiver.received.length).toBe(2);
        const [first, second] = receiver.received;
        expect(second?.id).toBe(first?.id);
        await drawer.getByRole('button', { name: 'Close' }).click();
      });

      it('sees a failure, and since when the webhook fails', async ({ page }) => {
        await page.goto(address);
        answered(500, NOT_SOON);
        await button(page, 'Send test').click();
        await row(
          page,
          /Failed, will be tried again.*Receiver reported an error · HTTP 500/,
        ).waitFor();
        await page.getByText('Deliveries fail.').waitFor();
        await page.goto('/settings/webhooks');
        await row(page, /tickets.*Folder team.*Failing.*since.*HTTP 500/).waitFor();
      });

      it('reads why it was disabled, and enables it', async ({ page }) => {
        answered(410);
        await page.goto(address);
        await button(page, 'Replay Test message').first().click();
        await page.getByText('Disabled: the receiver answered 410 Gone').first().waitFor();
        answered(204);
        await page.getByRole('alert').getByRole('button', { name: 'Enable' }).click();
        await page.getByText('tickets was enabled.').waitFor();
        const before = receiver.received.length;
        await button(page, 'Replay Test message').first().click();
        await expect.poll(() => receiver.received.length).toBe(before + 1);
      });

      it('replaces the secret, after which deliveries have both signatures', async ({ page }) => {
        await page.goto(address);
        await button(page, 'Actions for tickets').click();
        await page.getByRole('menuitem', { name: 'Replace secret…' }).click();
        const question = dialog(page, 'Replace the secret of tickets?');
        await question
          .getByText('For 24 hours each delivery is signed with both secrets.')
          .waitFor();
        await question.getByRole('button', { name: 'Replace secret' }).click();
        receiver.secrets.push(await shownSecret(page));
        await secretDialog(page).getByRole('button', { name: 'Close' }).click();
        await page.getByText(/Deliveries are also signed with the former one until/).waitFor();
        await button(page, 'Send test').click();
        await expect.poll(() => receiver.received.at(-1)?.verifiedBy).toEqual([0, 1]);
      });

      it('changes the name and the events, and keeps the address', async ({ page }) => {
        await page.goto(address);
        await button(page, 'Edit').click();
        const form = dialog(page, 'Edit tickets');
        await form.getByLabel('Name').fill('bugs');
        await form.getByText('All events').click();
        await form.getByRole('button', { name: 'Save' }).click();
        await form.waitFor({ state: 'detached' });
        await page.getByRole('heading', { name: 'bugs', level: 1 }).waitFor();
        await page.getByText('All events').waitFor();
        const before = receiver.received.length;
        await button(page, 'Send test').click();
        await expect.poll(() => receiver.received.length).toBe(before + 1);
      });

      it('deletes it', async ({ page }) => {
        await page.goto(address);
        await button(page, 'Actions for bugs').click();
        await page.getByRole('menuitem', { name: 'Delete…' }).click();
        await dialog(page, 'Delete bugs?').getByRole('button', { name: 'Delete webhook' }).click();
        await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
      });
    });

    describe('a developer', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, DEVELOPER));

      it('reads that the page is for administrators', async ({ page }) => {
        await page.goto('/settings/webhooks');
        await page.getByRole('heading', { name: /administrators/i }).waitFor();
      });
    });
  });
}
