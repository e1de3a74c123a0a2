/** The settings of e-mail and syslog in a browser, with deliveries of a test. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import type { Site } from '../../support/site.ts';

export function network(site: Site): void {
  describe('network', () => {
    const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

    describe('an administrator in the network settings', () => {
      const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

      const section = (page: Page, name: string) => page.getByRole('region', { name });

      it('reads why a test delivery failed, with the dialogue', async ({ page }) => {
        await page.goto('/settings/network');
        const email = section(page, 'E-mail');
        await email.getByText('Turned off: nothing is sent.').waitFor();
        await email.getByRole('switch', { name: 'Enabled' }).check();
        await email.getByLabel('Host').fill('127.0.0.1');
        await email.getByLabel('Port').fill('1');
        await email.getByLabel('Password', { exact: true }).fill('never shown again');
        await email.getByLabel('From').fill('portcullis@example.org');
        await email.getByRole('combobox', { name: 'To' }).fill('mira@example.org');
        await page.keyboard.press('Enter');
        await email.getByText('Save first: the test uses the saved settings.').waitFor();
        await email.getByRole('button', { name: 'Save', exact: true }).click();
        await email.getByText('Set on this page').waitFor();
        await expect
          .poll(() => email.getByLabel('Password', { exact: true }).inputValue())
          .toBe('********');
        await email.getByRole('button', { name: 'Send test' }).click();
        await email.getByText('Not delivered').waitFor();
        await email.getByText('The server refused the connection.').waitFor();
      });

      it('reads that UDP has no acknowledgement', async ({ page }) => {
        await page.goto('/settings/network');
        const syslog = section(page, 'Syslog');
        const collector = createSocket('udp4').bind(0, '127.0.0.1');
        await once(collector, 'listening');
        const heard = once(collector, 'message');
        await syslog.getByRole('switch', { name: 'Enabled' }).check();
        await syslog.getByLabel('Host').fill('127.0.0.1');
        await syslog.getByLabel('Port').fill(String(collector.address().port));
        await syslog.getByRole('button', { name: 'Save', exact: true }).click();
        await syslog.getByText('Set on this page').waitFor();
        await syslog.getByRole('button', { name: 'Send test' }).click();
        await syslog.getByText('UDP does not report whether it arrived').waitFor();
        expect(String(await heard)).toContain('portcullis');
        collector.close();
      });

      it('chooses how a collector that reads lines gets its messages', async ({ page }) => {
        await page.goto('/settings/network');
        const syslog = section(page, 'Syslog');
        const pick = async (field: string, option: string) => {
          await syslog.getByRole('combobox', { name: field }).click();
          await page.getByRole('option', { name: option, exact: true }).click();
        };
        const collector = createServer().listen(0, '127.0.0.1');
        await once(collector, 'listening');
        const heard = once(collector, 'connection').then(([socket]: Socket[]) =>
          text(socket ?? Readable.from([])),
        );
        await syslog.getByRole('switch', { name: 'Enabled' }).check();
        await syslog.getByLabel('Host').fill('127.0.0.1');
        await syslog.getByLabel('Port').fill(String((collector.address() as AddressInfo).port));
        await expect.poll(() => syslog.getByRole('combobox', { name: 'Framing' }).count()).toBe(0);
        await pick('Protocol', 'TCP');
        await pick('Framing', 'Newline');
        await syslog.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('The settings were saved.').waitFor();
        await syslog.getByRole('button', { name: 'Send test' }).click();
        await syslog.getByText('Delivered', { exact: true }).waitFor();
        expect(await heard).toMatch(/^<\d+>1 [^\n]+\n$/);
        collector.close();
      });

      it('resets a section to the environment', async ({ page }) => {
        await page.goto('/settings/network');
        const email = section(page, 'E-mail');
        await email.getByRole('button', { name: 'Reset' }).click();
        await dialog(page, /Reset to the environment/)
          .getByRole('button', { name: 'Reset' })
          .click();
        await email.getByText('From the environment').waitFor();
        await expect.poll(() => email.getByLabel('Host').inputValue()).toBe('');
      });
    });
  });
}
