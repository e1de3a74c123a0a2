/** The main pages in a browser, with the running product. */
import { debianImage, pushImage } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { UNHURRIED } from '../support/browsed-product.ts';
import { endSessionAtNextChange, signedIn, visit, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import {
  browser,
  PROGRESS,
  product,
  pull,
  slow,
  startMainPages,
  upstream,
  verdict,
  WATCHED,
} from './web.fixture.ts';

startMainPages(UNHURRIED);

describe('signing in', () => {
  it('leads to the requested page; a wrong password shows a message', async () => {
    const { page, faults, close } = await visit(browser, product.url);
    await page.goto('/staging/new');
    await page.getByLabel('Username').fill(DEVELOPER[0]);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Incorrect username or password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(DEVELOPER[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pull an image' }).waitFor();
    // Of the wrong password alone: a page without a session makes no request that fails.
    expect(faults).toEqual([expect.stringMatching(/status of 401 .*\/api\/auth\/login$/)]);
    await close();
  });

  it('an expired session does not lose typed input', async () => {
    const { page, close } = await signedIn(browser, product.url, DEVELOPER);
    await page.goto('/staging/new');
    await page.getByRole('combobox', { name: 'Image' }).fill(`${upstream.host}/acme/plain:1.0`);
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Pull and scan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(DEVELOPER[1]);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'acme/plain:1.0' }).waitFor();
    await close();
  });
});

describe('a plain user', () => {
  const it = visitedBy(
    () => signedIn(browser, product.url, DEVELOPER),
    /status of 404 .*0199d1f0-0000|status of 403 .*tags\?repository=too&/,
  );

  it('pulls an image, watches its progress without a reload, and pushes it', async ({ page }) => {
    // The developer pulls an image and watches its progress without a reload.
    slow.bytesPerSecond = WATCHED;
    await pull(page, slow.host, 'acme/tool');
    await page.getByText(PROGRESS).waitFor();
    await page.getByText(/[kM]B\/s/).waitFor();
    await page.getByText(/left$/).waitFor();
    slow.bytesPerSecond = Number.POSITIVE_INFINITY;
    await verdict(page, 'Clean').waitFor();
    await page
      .getByText('The scan covered the whole image and found no vulnerabilities.')
      .waitFor();
    // The developer sees the exact destination before pushing, and the completed push.
    await page.getByRole('button', { name: 'Push…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Push' });
    // The only folder to which this account may push.
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Folder' }).inputValue())
      .toBe('team');
    // By the name of this page's host, as in the pull commands of the image.
    const destination = `${new URL(product.url).host}/team/tool:1.0`;
    await dialog.getByText(destination).waitFor();
    await dialog.getByText('You are allowed to push here.').waitFor();
    await dialog.getByText('This tag does not exist yet.').waitFor();
    await dialog.getByRole('button', { name: 'Push', exact: true }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Push again…' }).waitFor();
    await page.getByText(destination, { exact: true }).waitFor();
    await page.getByText(`docker pull ${destination}`, { exact: true }).waitFor();
    await page.getByText(`podman pull --tls-verify=false ${destination}`).waitFor();
    await page.getByText(`docker://${destination}`).waitFor();
    // The developer sees before a push what exists at the destination.
    {
      await page.getByRole('button', { name: 'Push again…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Push' });
      await dialog.getByRole('combobox', { name: 'Folder' }).click();
      await page.getByRole('option', { name: 'team' }).click();
      await dialog.getByText('The same image is already there.').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('reads why an image is blocked, at the job and in the registry, and downloads its report', async ({
    page,
  }) => {
    // The developer reads the verdict of a vulnerable image in one sentence, and its findings by
    // severity.
    await pull(page, upstream.host, 'acme/old');
    await verdict(page, 'Blocked by policy').waitFor();
    await page.getByText(/The scan policy blocks this image: 1 critical and 1 high/).waitFor();
    await page.getByRole('button', { name: /CVE-2099-0001/ }).click();
    await page.getByText('3.0.13-1', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: /^High \d+$/ }).click();
    await page.getByRole('button', { name: /CVE-2099-0001/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^High \d+$/ }).click();
    await page.keyboard.press('Escape');
    await page.locator('body').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('/');
    await page.keyboard.type('openssl');
    await page.getByText('Package', { exact: true }).click();
    await page.getByRole('button', { name: /openssl/ }).waitFor();
    // The address is the same for a colleague.
    await page.reload();
    await page.getByRole('button', { name: /openssl/ }).waitFor();
    const search = page.getByRole('searchbox', { name: 'CVE, package or path' });
    await expect.poll(() => search.inputValue()).toBe('openssl');
    // The developer reads the same on the image's page, however it was pushed, with a link to the
    // findings.
    const { origin, pathname } = new URL(page.url());
    const credentials = { username: ADMIN[0], password: ADMIN[1] };
    await pushImage(product.url, 'team/old', '1.0', await debianImage(), { credentials });
    await page.goto('/images/__local__/team/old?tag=1.0');
    const drawer = page.getByRole('dialog', { name: 'team/old:1.0' });
    await drawer.getByText('2 vulnerabilities: 1 critical and 1 high.').waitFor();
    await drawer.getByText('Blocked by policy', { exact: true }).waitFor();
    await drawer.getByRole('link', { name: 'View scan' }).click();
    await verdict(page, 'Blocked by policy').waitFor();
    await expect.poll(() => page.url()).toBe(`${origin}${pathname}`);
    // The developer sees beforehand that the push is blocked.
    await page.getByRole('button', { name: 'Push…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Push' });
    await dialog.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'team' }).click();
    await dialog.getByText(/Blocked by policy/).waitFor();
    // It is not the folder's permissions that refuse it.
    await expect.poll(() => dialog.getByText(/permissions on the folder/).count()).toBe(0);
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Push', exact: true }).isDisabled())
      .toBe(true);
    // The only folder is proposed: nothing was changed.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The developer downloads the report in each format.
    for (const [format, ending] of [
      ['JSON', '.json'],
      ['SARIF', '.sarif'],
      ['CycloneDX', '.cdx'],
      ['SPDX', '.spdx'],
    ] as const) {
      await page.getByRole('button', { name: 'More actions' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).click(),
      ]);
      expect(download.suggestedFilename()).toContain(ending);
      expect(await download.failure()).toBeNull();
    }
  });
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN));

  it('sees the jobs of all accounts, and can bypass the gate with a reason', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('columnheader', { name: 'Requested by' }).waitFor();
    await page.getByRole('link', { name: 'acme/old:1.0' }).click();
    await page.getByRole('button', { name: 'Push…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Push' });
    await dialog.getByText('You are allowed to push here.').waitFor();
    await dialog.getByText('The default policy decides.').waitFor();
    const push = dialog.getByRole('button', { name: 'Push', exact: true });
    await expect.poll(() => push.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Why may this image pass?' }).fill('Internal test');
    await push.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Bypassed', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(0);
    await page.getByText('Internal test').waitFor();
    await page.getByText(`docker pull ${new URL(product.url).host}/`).waitFor();
    await page.getByRole('link', { name: 'Open the image, with its pull commands' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Gate bypassed by').waitFor();
    await drawer.getByText('Internal test').waitFor();
  });
});
