/** The main pages in a browser, with the running product. */
import {
  buildIndex,
  debianImage,
  helmChart,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import {
  endSessionAtNextChange,
  signedIn,
  visit,
  visitedBy,
  withoutTimers,
} from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { processesOf, type StandaloneProduct } from '../support/product.ts';
import { type RegistryFront, registryFront } from '../support/registry-front.ts';

const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];
const MEGABYTE = 1_000_000;
/** The layer of 8 MB takes longer than a test waits for its progress. */
const WATCHED = 0.1 * MEGABYTE;
const PROGRESS = /\d [kM]B of \d+ MB/;

let upstream: TestRegistry;
let slow: RegistryFront;
let browsed: BrowsedProduct;
let product: StandaloneProduct;
let browser: Browser;

beforeAll(async () => {
  upstream = await startRegistry();
  slow = await registryFront(upstream.url);
  const database = await serveVulnerabilityDb(upstream.url);
  await pushImage(upstream.url, 'acme/old', '1.0', await debianImage());
  await pushImage(upstream.url, 'acme/plain', '1.0', await debianImage({ packages: CLEAN }));
  const more = [randomFiles(9 * MEGABYTE, 'a.bin'), randomFiles(6 * MEGABYTE, 'b.bin')];
  await pushImage(upstream.url, 'acme/tool', '1.0', await debianImage({ packages: CLEAN, more }));
  browsed = await browsedProduct({
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: [upstream.host, slow.host].join(','),
  });
  ({ product, browser } = browsed);
  await addDeveloper(product, ...DEVELOPER);
});

afterAll(async () => {
  await browsed?.stop();
  await slow?.stop();
  await upstream?.stop();
});

async function pull(page: Page, host: string, image: string): Promise<void> {
  await page.goto('/staging/new');
  // A complete reference, as people paste it: host and tag move to their fields.
  await page.getByRole('combobox', { name: 'Image' }).fill(`${host}/${image}:1.0`);
  await page.getByRole('button', { name: 'Pull and scan' }).click();
  await page.getByRole('heading', { name: `${image}:1.0` }).waitFor();
}

const verdict = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

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

  it('uses the reader’s language, and declares it to screen readers', async () => {
    const { page, close } = await visit(browser, product.url, { locale: 'de-DE' });
    await page.goto('/login');
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('button', { name: 'Français' }).click();
    await page.getByRole('button', { name: 'Se connecter' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fr');
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

  it('signing out ends the session', async () => {
    const { page, close } = await signedIn(browser, product.url, DEVELOPER, {
      hasOwnSession: true,
    });
    await page.goto('/staging');
    await page.getByRole('button', { name: DEVELOPER[0], exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.goto('/staging');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await close();
  });
});

describe('a plain user', () => {
  const it = visitedBy(
    () => signedIn(browser, product.url, DEVELOPER),
    /status of 404 .*0199d1f0-0000|status of 403 .*tags\?repository=too&/,
  );

  it('can make the scan stricter, not more permissive, and reads why', async ({ page }) => {
    await page.goto('/staging/new');
    await page.getByText('that your account does not have').waitFor();
    await expect
      .poll(() => page.getByRole('radio', { name: 'Do not scan' }).isDisabled())
      .toBe(true);
    await page.getByRole('radio', { name: 'Block other severities' }).check();
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Critical' }).isDisabled())
      .toBe(true);
    await expect.poll(() => page.getByRole('checkbox', { name: 'Low' }).isEnabled()).toBe(true);
  });

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

  it('stops a running pull, and starts it again', async ({ page }) => {
    const more = [randomFiles(8 * MEGABYTE, 'c.bin')];
    await pushImage(
      upstream.url,
      'acme/halted',
      '1.0',
      await debianImage({ packages: CLEAN, more }),
    );
    slow.bytesPerSecond = WATCHED;
    await pull(page, slow.host, 'acme/halted');
    await page.getByText(PROGRESS).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await verdict(page, 'Cancelled').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    slow.bytesPerSecond = Number.POSITIVE_INFINITY;
    await page.getByRole('button', { name: 'Retry' }).click();
    await verdict(page, 'Clean').waitFor();
  });

  it('retries a failed pull once the image exists', async ({ page }) => {
    await pull(page, upstream.host, 'acme/late');
    await verdict(page, 'Failed').waitFor();
    await pushImage(upstream.url, 'acme/late', '1.0', await debianImage({ packages: CLEAN }));
    await page.getByRole('button', { name: 'Retry' }).click();
    await verdict(page, 'Clean').waitFor();
  });

  it('pulls from the built-in registry, whose images and tags are offered', async ({ page }) => {
    // The developer finds images and tags of the built-in registry while typing.
    await page.goto('/staging/new');
    await page.getByText('Saved registry', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Registry' }).click();
    await page.getByRole('option', { name: 'Built-in registry' }).click();
    await page.getByRole('combobox', { name: 'Image' }).fill('too');
    await page.getByRole('option', { name: 'team/tool' }).click();
    await page.getByRole('combobox', { name: 'Tag' }).click();
    await page.getByRole('option', { name: /^1\.0/ }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Pull and scan' }).isEnabled())
      .toBe(true);
    // The developer reads the host of this page where an image was pulled from it.
    const { host } = new URL(product.url);
    await page.getByRole('button', { name: 'Pull and scan' }).click();
    await page.getByRole('heading', { name: 'team/tool:1.0' }).waitFor();
    await page.getByRole('main').getByText(host, { exact: true }).waitFor();
    await verdict(page, 'Clean').waitFor();
    await page.goto('/staging');
    const row = page.getByRole('row').filter({ hasText: 'team/tool:1.0' });
    await row.getByText(host, { exact: true }).waitFor();
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

  it('finds jobs by filter and text; the URL keeps them', async ({ page }) => {
    await page.goto('/staging');
    const filters = page.getByRole('radiogroup', { name: 'Show', exact: true });
    await filters.getByText('Blocked', { exact: true }).click();
    await page.getByRole('searchbox').fill('old');
    // The previous list stays visible until the filtered one arrives.
    await page.getByRole('row').filter({ hasText: 'acme/tool' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'acme/old' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?show=blocked&q=old');
    await page.goto('/staging');
    await page.getByRole('row').filter({ hasText: 'acme/tool' }).first().waitFor();
  });

  it('deletes a job, and undoes it', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: 'acme/old:1.0' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await withoutTimers(page, async () => {
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByText('acme/old:1.0 was deleted.').waitFor();
      await page.getByRole('link', { name: 'acme/old:1.0' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
    });
    await page.getByRole('link', { name: 'acme/old:1.0' }).waitFor();
  });

  it('navigates by keyboard only, with the help of the shortcuts dialog', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('row').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Pull an image' }).waitFor();
    await page.getByRole('heading', { name: 'Pull an image' }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Pulls', exact: true }).waitFor();
  });

  it('downloads the report of all platforms of an index, or of one', async ({ page }) => {
    const arm64 = await debianImage({ packages: CLEAN, platform: 'linux/arm64' });
    await pushImage(upstream.url, 'acme/two', '1.0', buildIndex([await debianImage(), arm64]));
    await pull(page, upstream.host, 'acme/two');
    await verdict(page, 'Blocked by policy').waitFor();
    for (const [entry, name] of [
      ['All platforms', 'acme-two-1.0.sarif'],
      ['linux/arm64', 'acme-two-1.0-linux-arm64.sarif'],
    ] as const) {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'SARIF' }).hover();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: entry }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(await download.failure()).toBeNull();
      await page.keyboard.press('Escape');
    }
  });

  it('reads that a Helm chart is not scanned, and that the policy decides', async ({ page }) => {
    await pushImage(upstream.url, 'acme/chart', '1.0', await helmChart());
    await pull(page, upstream.host, 'acme/chart');
    await page
      .getByText(
        /no container image but an artifact \(.+\), such as a Helm chart\. Artifacts are not scanned; the policy decides/,
      )
      .waitFor();
  });

  it('copies the id of the request that made a job', async ({ page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pushImage(upstream.url, 'acme/request', '1.0', await helmChart());
    await pull(page, upstream.host, 'acme/request');
    const request = page.locator('dt:text-is("Request ID") + dd');
    await expect.poll(() => request.getByRole('code').textContent()).toMatch(/^[\w-]{16,}$/);
    await request.getByRole('button', { name: 'Copy' }).click();
    await request.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await request.getByRole('code').textContent());
  });

  it('gets "not found" for a job of another account', async ({ page }) => {
    await page.goto('/staging/0199d1f0-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
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

  it("sees changes of other accounts' jobs without a reload", async ({ page }) => {
    await page.goto('/staging');
    await page.getByText('Live', { exact: true }).waitFor();
    const other = await signedIn(browser, product.url, DEVELOPER);
    await page.getByRole('link', { name: 'acme/tool:1.0' }).first().waitFor();
    const before = await page.getByRole('link', { name: 'acme/tool:1.0' }).count();
    await pull(other.page, upstream.host, 'acme/tool');
    await page.getByRole('link', { name: 'acme/tool:1.0' }).nth(before).waitFor();
    await other.close();
  });

  it('begins at the overview, with what is to be set up', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Set up Portcullis' }).waitFor();
    await page.getByRole('link', { name: 'Begin: Registries' }).waitFor();
    await page.getByRole('button', { name: 'Hide this list' }).click();
    await page.getByRole('heading', { name: 'Set up Portcullis' }).waitFor({ state: 'detached' });
  });

  it('receives events again after the server was restarted', async ({ page }) => {
    await page.goto('/staging');
    await page.getByText('Live', { exact: true }).waitFor();
    const [api] = (await processesOf(product.dataDir)).filter((each) =>
      each.includes('apps/api/src/main.ts'),
    );
    process.kill(Number(api?.split(' ')[0]), 'SIGKILL');
    await page.getByText(/Connecting|Connection lost/).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const before = await page.getByRole('link', { name: 'acme/plain:1.0' }).count();
    const other = await signedIn(browser, product.url, DEVELOPER);
    await pull(other.page, upstream.host, 'acme/plain');
    await page.getByRole('link', { name: 'acme/plain:1.0' }).nth(before).waitFor();
    await other.close();
  });
});
