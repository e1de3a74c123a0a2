/**
 * What a plain user and an administrator do with jobs, beside the main journey of web.int.test.ts.
 */
import { buildIndex, debianImage, helmChart, pushImage, randomFiles } from '@portcullis/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn, visit, visitedBy, withoutTimers } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { bodyOf, logIn, processesOf, settled } from '../support/product.ts';
import {
  browser,
  CLEAN,
  MEGABYTE,
  PROGRESS,
  product,
  pull,
  slow,
  startMainPages,
  upstream,
  verdict,
  WATCHED,
} from './web.fixture.ts';

startMainPages();

describe('signing in', () => {
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

  beforeAll(async () => {
    const developer = await logIn(product, ...DEVELOPER);
    for (const image of ['acme/tool', 'acme/old']) {
      const source = { image, tag: '1.0', source_registry_host: upstream.host };
      const { job_id } = await bodyOf(developer('POST', '/api/staging/pull', source));
      await settled(developer, job_id);
    }
    const credentials = { username: ADMIN[0], password: ADMIN[1] };
    const image = await debianImage({ packages: CLEAN });
    await pushImage(product.url, 'team/tool', '1.0', image, { credentials });
  });

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
