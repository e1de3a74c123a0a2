/**
 * Registries, images, transfers, schedules and immutable tags in a browser, beside what
 * web-images.int.test.ts shows.
 */
import { openSql } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import {
  browser,
  choose,
  dialog,
  PLATFORMS,
  product,
  pushKept,
  row,
  startImagePages,
  upstream,
} from './web-images.fixture.ts';

startImagePages();

describe('an administrator and registries', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN), NO_FAULTS);

  it('adds a registry after a test, browses its content, renames it, and removes another', async ({
    page,
  }) => {
    // The administrator reads the purpose of saved registries while there is none.
    await page.goto('/registries');
    await page.getByRole('heading', { name: 'No saved registries' }).waitFor();
    // The administrator sees each step of a connection test before saving.
    await page.keyboard.press('n');
    const form = dialog(page, 'Add registry');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Upstream');
    await form.getByRole('textbox', { name: 'Host' }).fill(`https://${upstream.host}/v2/`);
    await form.getByRole('button', { name: 'Test connection' }).click();
    await form.getByText('Reachable: no').waitFor();
    await form.getByText('Credentials accepted: not tested').waitFor();
    await form.getByRole('switch', { name: 'Use TLS' }).click();
    await form.getByRole('button', { name: 'Test connection' }).click();
    await form.getByText('Lists its repositories: yes').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Upstream').getByText('Not tested yet').waitFor();
    // The administrator tests a saved registry, and the list shows the result.
    await row(page, 'Upstream').getByRole('button', { name: 'Test' }).click();
    await row(page, 'Upstream').getByText('Connected').waitFor();
    // The administrator browses its content.
    await page.getByRole('link', { name: 'Upstream' }).click();
    await page.getByRole('link', { name: 'acme/tool' }).waitFor();
    await page.getByRole('searchbox').fill('app');
    await page.getByRole('link', { name: 'acme/tool' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'acme/app' }).click();
    await page.getByRole('button', { name: '1.2.0', exact: true }).waitFor();
    const tags = page.getByRole('row').getByRole('button', { name: /^\d[\d.]+$/ });
    await expect.poll(() => tags.allTextContents()).toEqual(['2.0.0', '1.2.0', '1.1.0', '1.0.0']);
    // The administrator renames it, and removes another.
    {
      await page.goto('/registries');
      await choose(page, 'Upstream', 'Edit…');
      const form = dialog(page, 'Edit Upstream');
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Supplier');
      await form.getByRole('button', { name: 'Save' }).click();
      await row(page, 'Supplier').waitFor();
      await page.getByRole('button', { name: 'Add registry' }).click();
      const other = dialog(page, 'Add registry');
      await other.getByRole('textbox', { name: 'Name', exact: true }).fill('Gone soon');
      await other.getByRole('textbox', { name: 'Host' }).fill('registry.example');
      await other.getByRole('button', { name: 'Save' }).click();
      await choose(page, 'Gone soon', 'Delete…');
      await dialog(page, 'Delete Gone soon?')
        .getByRole('button', { name: 'Delete registry' })
        .click();
      await row(page, 'Gone soon').waitFor({ state: 'detached' });
    }
  });
});

describe('a developer and images', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), /status of 40[34]/);

  it('sees and finds only folders and repositories that they may read', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByRole('link', { name: 'Repositories' }).click();
    const node = (name: RegExp) => page.getByRole('treeitem', { name });
    await node(/^shared/).click();
    await node(/^base/).waitFor();
    await node(/^team/).click();
    await node(/^app/).waitFor();
    await expect.poll(() => page.getByText('lonely').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('no such thing');
    await page.getByRole('heading', { name: 'No matching repositories' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await node(/^app/).click();
    await page.getByRole('button', { name: '1.0.0', exact: true }).waitFor();
  });

  it('reads the details of an image by platform, and the pull commands', async ({ page }) => {
    await page.goto('/images/__local__/team/app');
    await page.getByRole('button', { name: '1.0.0', exact: true }).click();
    const drawer = dialog(page, 'team/app:1.0.0');
    await drawer.getByText(/^docker pull .*\/team\/app:1\.0\.0$/).waitFor();
    await drawer.getByText('MODE=production').waitFor();
    await drawer.getByRole('switch', { name: 'Use digest' }).click();
    await drawer.getByText(/^docker pull .*@sha256:/).waitFor();
    await drawer.getByRole('combobox', { name: 'Platform' }).click();
    await page.getByRole('option', { name: /s390x/ }).click();
    await drawer.getByRole('heading', { name: 'Layers' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.goto('/images/__local__/team/chart?tag=1.0.0');
    await dialog(page, 'team/chart:1.0.0')
      .getByText(/^helm pull oci:/)
      .waitFor();
  });

  it('sees which namespaces started an image of an index', async ({ page }) => {
    await page.goto('/images/__local__/team/app?tag=1.0.0');
    const drawer = dialog(page, 'team/app:1.0.0');
    await drawer.getByText('MODE=production').waitFor();
    await expect.poll(() => drawer.getByText('Last seen').count()).toBe(0);
    const sql = await openSql(await product.databaseUrl());
    await sql.query(`INSERT INTO clusters VALUES ('eu')`);
    await sql.query(`INSERT INTO running_images (cluster, namespace, repository, digest)
                     SELECT 'eu', n, repository, digest FROM local_contents, unnest('{shop,blog}'::text[]) n
                      WHERE repository = 'team/app' AND is_manifest ORDER BY digest LIMIT 2`);
    await page.reload();
    await drawer.getByText('2 namespaces of 1 cluster').waitFor();
    await drawer.getByRole('cell', { name: 'blog' }).waitFor();
    // An agent reported the same, and nothing since.
    await sql.query(`INSERT INTO reported_images SELECT cluster, namespace, repository, digest
                       FROM running_images WHERE cluster = 'eu'`);
    await sql.query(`UPDATE local_repositories SET created_at = now() - interval '1 day'`);
    await sql.query(`UPDATE clusters SET reported_at = now() - interval '1 hour'`);
    await sql.end();
    await page.reload();
    await drawer
      .getByText(/^Was running in 2 namespaces of eu, which has not reported since .*not known\.$/)
      .waitFor();
    await drawer.getByText('Silent').first().waitFor();
  });

  it('sees which platforms of an index are not here, and that nothing is said of them', async ({
    page,
  }) => {
    await page.goto('/images/__local__/team/sparse?tag=1');
    const drawer = dialog(page, 'team/sparse:1');
    await drawer.getByRole('heading', { name: 'Platforms that are not here' }).waitFor();
    const absent = drawer.getByRole('row').filter({ hasText: PLATFORMS.at(-1) ?? '?' });
    await absent.getByText('Not brought in').waitFor();
    await drawer.getByRole('combobox', { name: 'Platform' }).click();
    await expect.poll(() => page.getByRole('option').count()).toBe(PLATFORMS.length - 1);
  });

  it('reads why changes are not allowed in a read-only folder', async ({ page }) => {
    await page.goto('/images/__local__/shared/base');
    await page.getByRole('button', { name: 'Actions for 12' }).click();
    await page.getByText('You are not allowed to push to shared.').first().waitFor();
    await page.getByRole('menuitem', { name: 'Delete tag…' }).click({ force: true });
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('gets "not found" for a repository of other accounts', async ({ page }) => {
    await page.goto('/images/__local__/lonely');
    await page.getByText(/Access denied|Not found/).waitFor();
  });
});

describe('a developer and transfers', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), /status of 422/);

  async function build(page: Page): Promise<void> {
    await page.goto('/transfers/new');
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: /Supplier/ }).click();
    await page.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'team' }).click();
    await page.getByRole('button', { name: 'Paste list…' }).click();
    await dialog(page, 'Paste list')
      .getByRole('textbox')
      .fill('acme/tool:7 # the tool\nacme/app:^1.0');
    await page.getByRole('button', { name: 'Add 2 lines' }).click();
    await page.getByRole('textbox', { name: 'Newest' }).fill('2');
    await page.getByText('2 tags match: 1.2.0, 1.1.0').waitFor();
  }

  it('has none at first, and reads their purpose', async ({ page }) => {
    await page.goto('/transfers');
    await page.getByRole('heading', { name: 'No transfers yet' }).waitFor();
  });

  it('selects repositories from the registry', async ({ page }) => {
    await page.goto('/transfers/new');
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: /Supplier/ }).click();
    await page.getByRole('button', { name: 'Select from registry…' }).click();
    await dialog(page, 'Select repositories').getByRole('checkbox', { name: 'acme/app' }).check();
    await page.getByRole('button', { name: 'Add 1 repository' }).click();
    await page.getByText('4 tags match').waitFor();
  });

  it('sees refused entries with reasons before anything begins', async ({ page }) => {
    await build(page);
    await page.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'No folder' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The transfer cannot start while an image is not allowed.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: /^Transfer/ }).isDisabled())
      .toBe(true);
  });

  it('schedules a batch, reads its times in words, runs it now and pauses it', async ({ page }) => {
    await build(page);
    await page.getByRole('link', { name: 'Schedule…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Weekly mirror');
    await page.getByRole('combobox', { name: 'Frequency' }).click();
    await page.getByRole('option', { name: 'Every week' }).click();
    await page.getByText('At 03:00, only on Monday').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Monday' }).nth(2).waitFor();
    await page.getByRole('combobox', { name: 'Frequency' }).click();
    await page.getByRole('option', { name: 'Cron expression' }).click();
    await page.getByRole('textbox', { name: 'Cron expression' }).fill('61 3 * * *');
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: 'Cron expression' }).fill('30 2 * * *');
    await page.getByText('At 02:30, every day', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await row(page, 'Weekly mirror').waitFor();
    await choose(page, 'Weekly mirror', 'Run now');
    await row(page, 'Weekly mirror').getByRole('link', { name: 'just now' }).waitFor();
    await page.getByRole('switch', { name: 'Enabled: Weekly mirror' }).press('Space');
    await row(page, 'Weekly mirror').getByText('paused').waitFor();
  });
});

describe('an administrator and immutable tags', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN), NO_FAULTS);

  it('sees which tags are immutable, and why one can not be deleted', async ({ page }) => {
    await pushKept();
    await page.goto('/images/__local__/kept/app');
    await row(page, 'v1').getByText('Immutable').waitFor();
    await expect.poll(() => row(page, 'latest').getByText('Immutable').count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for v1' }).click();
    await page.getByText('The folder makes this tag immutable').first().waitFor();
    await page.getByRole('menuitem', { name: 'Delete tag…' }).click({ force: true });
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
  });
});
