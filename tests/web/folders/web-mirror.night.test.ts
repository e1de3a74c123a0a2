/** Mirrors on the page, in a browser with the running product. */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { openSql } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, speak, visitedBy } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { addMirror } from '../../support/example-mirror.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';
import { seedJobs } from '../../support/seeded-jobs.ts';

const HERE = `sha256:${'a'.repeat(64)}`;

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let store: Store;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  const { product } = browsed;
  browser = browsed.browser;
  url = product.url;
  await addDeveloper(product, ...DEVELOPER);
  store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  const admin = await logIn(product, ...ADMIN);
  await bodyOf(admin('POST', '/api/folders', { name: 'hub' }));
  await grantHub(admin, { can_pull: true, can_pull_external: true });
  for (const name of ['library/redis', 'library/nginx', 'grafana/grafana', 'library/busybox']) {
    const image = { repository: `hub/${name}`, tag: '1', digest: HERE, manifests: [] };
    await store.images.record({ ...image, at: new Date() });
  }
  await seedJobs(product, { owner: DEVELOPER[0], count: 1, image: 'acme/seed' });
  await addMirror(product, admin, { here: HERE, jobId: await anyJob() });
});
afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

async function grantHub(admin: Call, rights: object): Promise<void> {
  const groups = await bodyOf(admin('GET', '/api/groups'));
  const group = groups.find(({ name }: { name: string }) => name === 'developers');
  await bodyOf(admin('PUT', '/api/folders/hub/permissions', { group_id: group.id, ...rights }));
}

async function queried(text: string) {
  const sql = await openSql(await browsed.product.databaseUrl());
  try {
    return (await sql.query(text)).rows;
  } finally {
    await sql.end();
  }
}

const anyJob = async (): Promise<string> => (await queried('SELECT id FROM staging_jobs'))[0].id;

/** The folder asks for an age that the refused image does not have. */
async function makeWait(): Promise<void> {
  const admin = await logIn(browsed.product, ...ADMIN);
  const terms = { name: 'patient', rules: [], min_age_hours: 72 };
  const { id: policy_id } = await bodyOf(admin('POST', '/api/policies', terms));
  await bodyOf(admin('PATCH', '/api/folders/hub', { policy_id }));
  await queried(`UPDATE staging_jobs SET error = jsonb_set(error, '{code}', '"TOO_YOUNG"')
                  WHERE image = 'library/wordpress'`);
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Mirror', exact: true });
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('sets a mirror, learns which field is wrong, and removes it', async ({ page }) => {
    await page.goto('/folders/team');
    await panelOf(page).getByText('This folder is no mirror.').waitFor();
    await panelOf(page).getByRole('button', { name: 'Set up…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mirror of a registry' });
    await dialog.getByLabel('Prefix').fill('Org');
    await dialog.getByLabel('May be brought in').fill('{x');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('A repository path in lower case').waitFor();
    await dialog.getByLabel('Prefix').fill('org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('“{x” is not a valid pattern.').first().waitFor();
    await dialog.getByLabel('May be brought in').press('Backspace');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await panelOf(page).getByText('Mirrors docker.io/org.').waitFor();
    await page.getByText('an image appears here at its first pull').waitFor();
    expect((await store.folders.get('team')).mirror).toMatchObject({ prefix: 'org', allow: ['*'] });

    await panelOf(page).getByRole('button', { name: 'Change mirror' }).click();
    await dialog.getByRole('button', { name: 'Delete…' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Remove the mirror of team?' });
    await confirmation.getByText('What is in the folder stays').waitFor();
    await confirmation.getByRole('button', { name: 'Remove mirror' }).click();
    await panelOf(page).getByText('This folder is no mirror.').waitFor();
    expect((await store.folders.get('team')).mirror).toBeNull();
  });

  it('sees which tags are refused or behind, with both digests and the reason', async ({
    page,
  }) => {
    await page.goto('/folders/hub');
    await panelOf(page).getByText('Passed this week').waitFor();
    await panelOf(page).getByRole('link', { name: 'Tags and client files' }).click();
    const behind = rowOf(page, 'library/nginx');
    await behind.getByText('Behind').waitFor();
    await expect.poll(() => behind.textContent()).toMatch(/sha256:a{12}.*sha256:b{12}/);
    await behind.getByText('Details').click();
    await behind.getByText('CVE-2099-0001 (CRITICAL)').waitFor();
    const refused = rowOf(page, 'library/wordpress');
    await refused.getByText('Next try').waitFor();
    const link = refused.getByRole('link', { name: 'View job' });
    await expect.poll(() => link.getAttribute('href')).toMatch(/^\/staging\//);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'No answer' }).click();
    const tags = page.getByRole('region', { name: 'Tags', exact: true });
    await expect.poll(() => tags.getByRole('row').count()).toBe(2);
    await rowOf(page, 'grafana/grafana').waitFor();
    await page.getByRole('searchbox').or(page.getByLabel('Repository or tag')).first().fill('none');
    await page.getByText('No tag matches.').waitFor();
  });

  it('sees who pulled what was never here, and reads why an image is not', async ({ page }) => {
    await page.goto('/folders/hub');
    await panelOf(page).getByText('Pulls without an image').waitFor();
    await page.goto('/folders/hub/mirror');
    const never = rowOf(page, 'library/never:9');
    await never.getByText('the registry that is mirrored does not answer').waitFor();
    await never.getByText(DEVELOPER[0]).waitFor();
    await never.getByText('Details').click();
    await never.getByText("registry-1.docker.io doesn't answer in time").waitFor();
    await page.goto('/images/__local__/hub/library/wordpress?tag=1');
    await page.getByText('The mirror has refused this image').waitFor();
    await page.getByText('Details').click();
    await page.getByText('CVE-2099-0001').waitFor();
  });

  it('sees until when an image waits for its age, and requests an exception', async ({ page }) => {
    await makeWait();
    await page.goto('/folders/hub/mirror');
    const waiting = rowOf(page, 'library/wordpress');
    await waiting.getByText('Waits until').waitFor();
    await waiting.getByRole('button', { name: 'Request an exception…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exception from the wait for' });
    await dialog.getByLabel('Reason').fill('fixes what is exploited');
    await dialog.getByRole('button', { name: 'Request exception' }).click();
    await page.getByText('The exception was requested.').waitFor();
    const { items } = await store.waivers.list({ limit: 10 }, new Date());
    expect(items).toMatchObject([
      { vulnerability: 'TOO_YOUNG', digest: `sha256:${'b'.repeat(64)}`, folder: 'hub' },
    ]);
  });

  it.for(['de', 'fr'])('reads a mirror in %s, also on a phone', async (language, { page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/folders/hub/mirror');
    await speak(page, language);
    await page.reload();
    await page.getByRole('heading', { name: /^(?:Spiegel|Miroir) hub$/ }).waitFor();
    await page
      .getByText(/Zurückgehalten|En retard/)
      .first()
      .waitFor();
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
    await expect.poll(wide).toBeLessThanOrEqual(360);
  });
});

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('takes the files of a client, and can change nothing', async ({ page }) => {
    await page.goto('/folders/hub/mirror');
    await page.getByText('You may bring in what is not here.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Change mirror' }).count()).toBe(0);
    await page.getByText('hosts.toml').waitFor();
    await page.getByRole('combobox', { name: 'Client program' }).click();
    await page.getByRole('option', { name: 'Podman' }).click();
    await page.getByText(`location = "${new URL(url).host}/hub"`).waitFor();
    await page.getByRole('combobox', { name: 'Client program' }).click();
    await page.getByRole('option', { name: 'Docker', exact: true }).click();
    await page.getByText('no setting prevents that').waitFor();
    await page.reload();
    await page.getByText('no setting prevents that').waitFor();
  });

  it('sees no panel of a folder that is no mirror', async ({ page }) => {
    await page.goto('/folders/team');
    await page.getByRole('region', { name: 'Retention' }).getByText('Every tag is kept.').waitFor();
    await expect.poll(() => panelOf(page).count()).toBe(0);
    await page.goto('/folders/team/mirror');
    await page.getByRole('heading', { name: 'No mirror' }).waitFor();
  });

  it('is offered the command of the mirror before the form of a pull', async ({ page }) => {
    await page.goto('/staging/new');
    const offer = page.getByRole('region', { name: 'Pull it from the mirror' });
    await offer.getByText(`docker pull ${new URL(url).host}/hub/…`).waitFor();
    await page
      .getByLabel(/^Image/)
      .first()
      .fill('nginx');
    await page.getByLabel(/^Tag/).first().fill('1.29');
    await offer.getByText(`docker pull ${new URL(url).host}/hub/nginx:1.29`).waitFor();
  });

  it('requests an exception from the wait only where it may bring in', async ({ page }) => {
    await page.goto('/folders/hub/mirror');
    const waiting = rowOf(page, 'library/wordpress');
    await waiting.getByRole('button', { name: 'Request an exception…' }).waitFor();
    await grantHub(await logIn(browsed.product, ...ADMIN), { can_pull: true });
    await page.reload();
    await waiting.getByText('An account that may bring images in here, or a reviewer').waitFor();
  });

  it('is offered no mirror as a destination, and learns why there is none', async ({ page }) => {
    const admin = await logIn(browsed.product, ...ADMIN);
    await bodyOf(admin('PATCH', '/api/folders/team', { mirror: { registry_id: null } }));
    const jobs: { job_id: string }[] = await bodyOf(admin('GET', '/api/staging/jobs?q=acme/seed'));
    const why =
      'No account pushes to a mirror, and you are not allowed to push to any other folder.';
    await page.goto(`/staging/${jobs[0]?.job_id}`);
    await page.getByRole('button', { name: 'Push…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Push image' });
    await dialog.getByText(why).waitFor();
    await page.goto('/transfers/new');
    await page.getByText(why).waitFor();
    await page.goto('/staging/new');
    await page.getByRole('combobox', { name: 'Destination' }).click();
    await expect
      .poll(() => page.getByRole('option', { name: 'team', exact: true }).count())
      .toBe(0);
  });
});
