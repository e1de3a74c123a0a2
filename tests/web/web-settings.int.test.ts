/** Settings and operation in a browser, with the running product. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startOidcProvider, type TestOidcProvider } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import {
  expectWellMade,
  onPhone,
  settled,
  signedIn,
  visit,
  visitedBy,
} from '../support/browser.ts';
import { ADMIN } from '../support/developer.ts';
import { logIn, type Product } from '../support/product.ts';
import { addScannedImage } from '../support/scanned-image.ts';

const MIRA = ['mira', 'a sentence is good'] as const;
const MIRAS_NEXT = 'another sentence is better';
const NOAH = ['noah', 'chosen by somebody else'] as const;
const NEW_PASSWORD = 'nobody else knows this one';

let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;

const RELEASE = {
  tag_name: 'v99.1.0',
  html_url: 'https://releases.test/v99.1.0',
  published_at: '2026-11-20T12:00:00Z',
};
const releases = createServer((_request, answer) => answer.end(JSON.stringify(RELEASE)));

beforeAll(async () => {
  await once(releases.listen(0, '127.0.0.1'), 'listening');
  const { port } = releases.address() as AddressInfo;
  browsed = await browsedProduct({
    TRIVY_ENABLED: 'false',
    RELEASE_CHECK_URL: `http://127.0.0.1:${port}/latest`,
    EGRESS_ALLOW: `127.0.0.1:${port}`,
  });
  ({ product, browser } = browsed);
}, 300_000);

afterAll(async () => {
  await browsed?.stop();
  releases.close();
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN));

  it('reads the first steps in an empty installation', async ({ page }) => {
    await page.goto('/settings/folders');
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await page.goto('/settings/groups');
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await expectWellMade(page, 'groups-empty');
  });

  it('creates an account with a chosen password', async ({ page }) => {
    await page.goto('/settings/users');
    await page.getByRole('button', { name: 'New user' }).click();
    const form = dialog(page, 'New user');
    await form.getByLabel('Username').fill(MIRA[0]);
    await form.getByRole('button', { name: 'Generate' }).click();
    await form.getByRole('button', { name: 'Copy password' }).waitFor();
    await expectWellMade(page, 'user-new');
    await form.getByLabel('Password', { exact: true }).fill(MIRA[1]);
    await form.getByRole('switch', { name: 'Must change password' }).uncheck();
    await form.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: MIRA[0] }).waitFor();
  });

  it('creates a group and adds a member', async ({ page }) => {
    await page.goto('/settings/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    await dialog(page, 'New group').getByLabel('Name').fill('developers');
    await page.getByRole('button', { name: 'Create group' }).click();
    const group = dialog(page, 'developers');
    await group.getByRole('combobox', { name: 'Add member' }).fill('mir');
    await page.getByRole('option', { name: MIRA[0] }).click();
    await group.getByRole('button', { name: 'Remove mira' }).waitFor();
    await expectWellMade(page, 'group');
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: MIRA[0] }).waitFor();
  });

  it('creates a folder and grants it by keyboard only; nothing applies before it is saved', async ({
    page,
  }) => {
    await page.goto('/settings/folders');
    await page.getByRole('button', { name: 'New folder' }).click();
    await dialog(page, 'New folder').getByLabel('Name').fill('team');
    await page.getByRole('button', { name: 'Create folder' }).click();
    const cell = (right: string) =>
      page.getByRole('button', { name: `team, developers: ${right}`, exact: true });
    await cell('Pull').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByText('2 unsaved changes').waitFor();
    await expectWellMade(page, 'matrix');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The permissions were saved.').waitFor();
    await page.reload();
    await cell('Push').waitFor();
    await expect.poll(() => cell('Push').getAttribute('aria-pressed')).toBe('true');
    await expect
      .poll(() => cell('Push to other registries').getAttribute('aria-pressed'))
      .toBe('false');
  });

  it('reads why an account may perform an action, and why not', async ({ page }) => {
    await page.getByRole('combobox', { name: 'Account' }).fill('mir');
    await page.getByRole('option', { name: MIRA[0] }).click();
    await page.getByLabel('Repository').fill('team/app');
    await page.getByText('Yes, mira may push team/app.').waitFor();
    await page.getByText('developers has Pull and Push on team').waitFor();
    await page.getByLabel('Repository').fill('other/app');
    await page.getByText('No, mira may not push other/app.').waitFor();
    await expectWellMade(page, 'explain');
  });

  it('gets no error in the console', ({ visitor }) => {
    expect(visitor.faults).toEqual([]);
  });
});

describe('an administrator in the network settings', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN));

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
    await expectWellMade(page, 'network-typed');
    await email.getByRole('button', { name: 'Save', exact: true }).click();
    await email.getByText('Set on this page').waitFor();
    await expect
      .poll(() => email.getByLabel('Password', { exact: true }).inputValue())
      .toBe('********');
    await email.getByRole('button', { name: 'Send test' }).click();
    await email.getByText('Not delivered').waitFor();
    await email.getByText('The server refused the connection.').waitFor();
    await expectWellMade(page, 'network-truth');
  });

  it('reads that UDP has no acknowledgement', async ({ page }) => {
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
    const collector = createTcpServer().listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const heard = once(collector, 'connection').then(([socket]: Socket[]) =>
      text(socket ?? Readable.from([])),
    );
    await syslog.getByRole('switch', { name: 'Enabled' }).check();
    await syslog.getByLabel('Host').fill('127.0.0.1');
    await syslog.getByLabel('Port').fill(String((collector.address() as AddressInfo).port));
    expect(await syslog.getByRole('combobox', { name: 'Framing' }).count()).toBe(0);
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
    const email = section(page, 'E-mail');
    await email.getByRole('button', { name: 'Reset' }).click();
    await dialog(page, /Reset to the environment/)
      .getByRole('button', { name: 'Reset' })
      .click();
    await email.getByText('From the environment').waitFor();
    await expect.poll(() => email.getByLabel('Host').inputValue()).toBe('');
  });
});

describe('an administrator in operation', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN));

  it('finds grants in the audit log by account, event and words', async ({ page }) => {
    await page.goto('/audit');
    await page.getByRole('button', { name: 'Grant permissions on a folder' }).first().waitFor();
    await expectWellMade(page, 'audit');
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
    await expectWellMade(page, 'audit-event');
    await event.getByRole('button', { name: 'Only admin' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?actor=admin&event=group.create');
    await page.getByRole('searchbox', { name: 'Account' }).fill('nobody');
    await page.getByRole('heading', { name: 'No matching events' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('button', { name: 'Grant permissions on a folder' }).first().waitFor();
  });

  it('finds by the outcome what was denied', async ({ page }) => {
    const mira = await logIn(product, ...MIRA);
    expect((await mira('GET', '/api/auth/users')).status).toBe(403);
    await page.goto('/audit');
    const events = page.getByRole('table').getByRole('row');
    await events.filter({ hasText: 'Success' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Denied' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?outcome=denied');
    await events.filter({ hasText: 'Success' }).first().waitFor({ state: 'detached' });
    const denied = events.filter({ hasText: 'Request without permission' });
    await denied.filter({ hasText: MIRA[0] }).first().waitFor();
    expect(await denied.first().getAttribute('data-tone')).toBe('high');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Refusals');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Refusals', exact: true }).waitFor();
    await page.goto('/audit');
    const success = events.filter({ hasText: 'Success' }).first();
    await success.waitFor();
    expect(await success.getAttribute('data-tone')).toBeNull();
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
    await page.getByRole('switch', { name: 'Live' }).check();
    await fetch(`${product.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'nosuchperson', password: 'x' }),
    });
    await page.getByRole('cell', { name: 'nosuchperson' }).first().waitFor();
  });

  it('exports the filtered events', async ({ page }) => {
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
    expect(await release.getAttribute('href')).toBe(RELEASE.html_url);
    await page.getByRole('row', { name: /^notifier/ }).waitFor();
    await page.getByRole('row', { name: /^worker/ }).waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    // A worker with the registry's storage does it, or the page shows the refusal.
    await page.getByText(/^Would delete|^No running worker has/).waitFor({ timeout: 90_000 });
    await expectWellMade(page, 'system');
  });

  it('changes the scan policy, which is explained and kept', async ({ page }) => {
    await page.goto('/settings/scan');
    await page.getByText('Images are not scanned.').waitFor();
    // Without a scanner in the installation it can't be enabled; other settings can be changed.
    await expect
      .poll(() => page.getByRole('switch', { name: 'Scan every image' }).isDisabled())
      .toBe(true);
    await page.getByRole('checkbox', { name: 'Medium' }).check();
    await expectWellMade(page, 'scan-policy');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Set on this page').waitFor();
    await page.reload();
    await page.getByText('Set on this page').waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Medium' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('checkbox', { name: 'Low' }).isChecked()).toBe(false);
  });

  it('tests single sign-on before saving it, and reads each step', async ({ page }) => {
    await page.goto('/settings/sign-on');
    await page.getByRole('textbox', { name: 'Issuer URL' }).fill('http://127.0.0.1:1/realms/main');
    await page.getByLabel('Client ID').fill('portcullis');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Connection failed').waitFor();
    const height = (role: 'combobox' | 'textbox', name: string) =>
      page
        .getByRole(role, { name })
        .evaluate((input) => input.closest('.mantine-InputWrapper-root')?.clientHeight);
    expect(await height('combobox', 'Scopes')).toBe(await height('textbox', 'Provider name'));
    await expectWellMade(page, 'sign-on');
  });

  it('sees on one page what needs attention, and reads the charts as tables too', async ({
    page,
  }) => {
    await page.goto('/dashboard');
    await page.getByText('No jobs in the last 30 days.').waitFor();
    await page.getByText('No scans in the last 30 days').waitFor();
    await expectWellMade(page, 'dashboard-empty');
    const response = await page.evaluate(async () => {
      const body = { image: 'acme/none', tag: '1.0', source_registry_host: '127.0.0.1:1' };
      const headers = { 'content-type': 'application/json' };
      return (
        await fetch('/api/staging/pull', { method: 'POST', headers, body: JSON.stringify(body) })
      ).status;
    });
    expect(response).toBe(202);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Jobs in the last 30 days' }).waitFor();
          await settled(page);
          return page.getByRole('img', { name: /Jobs in the last 30 days\. 1 job:/ }).count();
        },
        { timeout: 90_000, interval: 3_000 },
      )
      .toBe(1);
    await page.locator('svg [data-series]').first().waitFor();
    await expectWellMade(page, 'dashboard');
    await page.getByRole('button', { name: 'Show as table: Jobs in the last 30 days' }).click();
    await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
    await expectWellMade(page, 'dashboard-table');
  });

  it("sees the findings of each day's scans by severity, with the numbers", async ({ page }) => {
    await addScannedImage(product, 'team/scanned');
    const name =
      /Vulnerabilities by scan date\. .*Scans on 1 day of the last 30; latest on .*: 3 vulnerabilities in 1 image\./;
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Vulnerabilities by scan date' }).waitFor();
          await settled(page);
          return page.getByRole('img', { name }).count();
        },
        { timeout: 90_000, interval: 3_000 },
      )
      .toBe(1);
    await page.getByRole('img', { name }).locator('[data-series=CRITICAL]').waitFor();
    await expectWellMade(page, 'dashboard-findings');
    await page.getByRole('button', { name: 'Show as table: Vulnerabilities by scan date' }).click();
    const table = page.getByRole('table').filter({ hasText: 'Images' });
    await table.getByRole('columnheader', { name: 'Critical' }).waitFor();
    const cells = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
    expect(cells.slice(1)).toEqual(['1', '1', '2', '0', '0', '0']);
    await expectWellMade(page, 'dashboard-findings-table');
  });

  it('gets no error in the console', ({ visitor }) => {
    const harmless = (text: string) => text.includes('status of 409');
    expect(visitor.faults.filter((text) => !harmless(text))).toEqual([]);
  });
});

describe('a plain user', () => {
  const it = visitedBy(() => signedIn(browser, product.url, MIRA));

  it('sees only permitted pages', async ({ page }) => {
    await page.goto('/settings/account');
    await page.getByText('Push to folders that are granted to you').waitFor();
    const navigation = page.getByRole('navigation');
    await navigation.getByRole('link', { name: 'My account' }).waitFor();
    expect(await navigation.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.goto('/settings/users');
    await page.getByRole('heading', { name: 'Administrators only' }).waitFor();
    await expectWellMade(page, 'admins-only');
  });

  it('creates a token, sees it once, and uses it', async ({ page }) => {
    await page.goto('/settings/account');
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog(page, 'New token').getByLabel('Name').fill('laptop');
    await expectWellMade(page, 'token-new');
    await page.getByRole('radio', { name: /REST API/ }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    const made = dialog(page, 'Copy your token now');
    const token = (await made.locator('code').first().textContent()) ?? '';
    expect(token).toMatch(/^pct_/);
    await expectWellMade(page, 'token-made');
    const me = await fetch(`${product.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(me.status).toBe(200);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: /^laptop/ }).waitFor();
    // The dialog closes with an animation.
    await expect.poll(() => page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
    const after = await fetch(`${product.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(after.status).toBe(401);
  });

  it('changes their password', async ({ page }) => {
    await page.getByLabel('Current password').fill(MIRA[1]);
    await page.getByLabel('New password', { exact: true }).fill(MIRAS_NEXT);
    await page.getByLabel('Repeat the new password').fill(MIRAS_NEXT);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password was changed.').waitFor();
    const other = await signedIn(browser, product.url, [MIRA[0], MIRAS_NEXT]);
    await other.close();
  });
});

describe('a user with a password that an administrator chose', () => {
  const it = visitedBy(async () => {
    const admin = await logIn(product, ...ADMIN);
    const [username, password] = NOAH;
    const account = { username, password, must_change_password: true };
    expect((await admin('POST', '/api/auth/users', account)).status).toBe(201);
    return visit(browser, product.url);
  });

  const change = async (page: Page, from: string, to: string) => {
    await page.getByLabel('Current password').fill(from);
    await page.getByLabel('New password', { exact: true }).fill(to);
    await page.getByLabel('Repeat the new password').fill(to);
    await page.getByRole('button', { name: 'Change password' }).click();
  };

  it('can do nothing before changing it, on any page', async ({ page }) => {
    await page.goto('/');
    await page.getByLabel('Username').fill(NOAH[0]);
    await page.getByLabel('Password', { exact: true }).fill(NOAH[1]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Choose your own password to continue.').waitFor();
    await page.goto('/images');
    await page.getByText('Choose your own password to continue.').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('reads why a password is refused, and continues with a valid one', async ({ page }) => {
    await page.getByLabel('New password', { exact: true }).fill('short');
    await page.getByText('7 more characters needed.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Change password' }).isDisabled())
      .toBe(true);
    await change(page, 'not the one', NEW_PASSWORD);
    await page.getByRole('alert').getByText('The current password is wrong.').waitFor();
    await change(page, NOAH[1], NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Images', exact: true }).waitFor();
  });

  it('finds the password page in the menu, and the old password is invalid', async ({ page }) => {
    await page.getByRole('button', { name: NOAH[0], exact: true }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    await page.getByLabel('Current password').waitFor();
    await expect(logIn(product, ...NOAH)).rejects.toThrow('401');
    await logIn(product, NOAH[0], NEW_PASSWORD);
  });
});

describe('a user of the identity provider', () => {
  let provider: TestOidcProvider;
  const it = visitedBy(async () => {
    provider = await startOidcProvider({ redirectUris: [`${product.url}/api/oidc/callback`] });
    provider.account('ann', { preferred_username: 'ann', groups: ['staff'] });
    const admin = await logIn(product, ...ADMIN);
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
    const settings = { enabled: true, provider_name: 'Acme', issuer, client_id, client_secret };
    expect((await admin('PUT', '/api/oidc/settings', settings)).status).toBe(200);
    return visit(browser, product.url);
  });
  afterAll(() => provider?.stop());

  const atProvider = async (page: Page, act: 'login' | 'refuse') => {
    await page.getByRole('link', { name: 'Sign in with Acme' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.fill('input[name=name]', 'ann');
    await page.click(`button[value=${act}]`);
  };

  it('reads why the provider refused', async ({ page }) => {
    await page.goto('/images');
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    await expectWellMade(page, 'sign-in-provider');
    await atProvider(page, 'refuse');
    await page.getByText('The identity provider refused to sign you in.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await expectWellMade(page, 'sign-in-refused');
  });

  it.for([
    ['OIDC_STATE_INVALID', 'This sign-in expired or was started in another browser. Try again.'],
    ['OIDC_NOT_ALLOWED', 'None of your groups is allowed to sign in here.'],
    ['OIDC_PROVIDER_UNAVAILABLE', 'The identity provider cannot be reached.'],
    ['SOMETHING_NEW', 'Signing in with the identity provider failed.'],
  ] as const)('reads what %s means', async ([code, words], { page }) => {
    await page.goto(`/login?error=${code}`);
    await page.getByRole('alert').getByText(words).waitFor();
  });

  it('returns signed in to the requested page', async ({ page }) => {
    await page.goto('/images');
    await atProvider(page, 'login');
    await page.getByRole('heading', { name: 'Images', exact: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(product.url);
    await page.getByRole('button', { name: 'ann', exact: true }).waitFor();
    await page.goto('/settings/account');
    await page.getByText('Change the password there').waitFor();
    expect(await page.getByLabel('Current password').count()).toBe(0);
  });
});
