/** Pushes to another registry in a browser, with a target that sometimes refuses. */
import {
  buildArtifact,
  buildImage,
  fetchManifest,
  pushImage,
  randomFiles,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { logIn, type Product } from '../support/product.ts';
import { type RegistryFront, registryFront } from '../support/registry-front.ts';

const MEGABYTE = 1_000_000;

let upstream: TestRegistry;
let elsewhere: TestRegistry;
/** The registries saved under the names "Supplier" and "Branch office". */
let supplier: RegistryFront;
let office: RegistryFront;
let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  upstream = await startRegistry();
  elsewhere = await startRegistry();
  supplier = await registryFront(upstream.url);
  office = await registryFront(elsewhere.url);
  for (const name of ['one', 'two'])
    await pushImage(upstream.url, `acme/${name}`, '1.0', await image(name));
  browsed = await browsedProduct({
    TRIVY_ENABLED: 'false',
    EGRESS_ALLOW: [supplier.host, office.host].join(','),
  });
  ({ product, browser } = browsed);
  await addDeveloper(product, ...DEVELOPER);
  await saveRegistries();
});

afterAll(async () => {
  await browsed?.stop();
  await supplier?.stop();
  await office?.stop();
  await upstream?.stop();
  await elsewhere?.stop();
});

/** Also after a failed test. */
afterEach(() => {
  office.readOnly = false;
  supplier.bytesPerSecond = Number.POSITIVE_INFINITY;
});

const image = (name: string) =>
  buildImage({
    layers: [{ name }, randomFiles(3 * MEGABYTE, `${name}.bin`)],
    config: { Cmd: [name] },
  });

async function saveRegistries(): Promise<void> {
  const admin = await logIn(product, ...ADMIN);
  const saved = { Supplier: supplier.host, 'Branch office': office.host };
  for (const [name, host] of Object.entries(saved)) {
    const answer = await admin('POST', '/api/registries', {
      name,
      host,
      use_tls: false,
      owner: 'global',
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text });

async function pickOption(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
}

async function pull(page: Page, name: string): Promise<void> {
  await page.goto('/staging/new');
  await page.getByText('Saved registry', { exact: true }).click();
  await pickOption(page, 'Registry', /Supplier/);
  await page.getByRole('combobox', { name: 'Image' }).fill(`acme/${name}`);
  await page.getByRole('combobox', { name: 'Tag' }).fill('1.0');
  await page.getByRole('button', { name: /^Pull/ }).click();
  await page.getByRole('heading', { name: `acme/${name}:1.0` }).waitFor();
  await page.getByRole('button', { name: 'Push…' }).waitFor();
}

describe.each([
  ['a developer', DEVELOPER, 'one'],
  ['an administrator', ADMIN, 'two'],
] as const)('%s who pushes to a saved registry', (_, account, name) => {
  const it = visitedBy(() => signedIn(browser, product.url, account));

  const openPush = async (page: Page, button: string) => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByText('Saved registry', { exact: true }).click();
    await pickOption(page, 'Registry', /Branch office/);
    return dialog(page, 'Push');
  };

  it('is offered folders and all saved registries as the destination of a pull', async ({
    page,
  }) => {
    await page.goto('/staging/new');
    await pickOption(page, 'Destination', 'team');
    await pickOption(page, 'Destination', /Branch office/);
    await page.getByRole('combobox', { name: 'Destination' }).click();
    await page.getByRole('option', { name: /Supplier/ }).waitFor();
  });

  it('sees the destination before each push, and pushes again once the target accepts', async ({
    page,
  }) => {
    // The account sees the exact destination, that it is free, and the completed push.
    await pull(page, name);
    const form = await openPush(page, 'Push…');
    await form.getByText(`${office.host}/${name}:1.0`).waitFor();
    await form.getByText('You are allowed to push here.').waitFor();
    await form.getByText('This tag does not exist yet.').waitFor();
    await form.getByRole('button', { name: 'Push', exact: true }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    // Also what was done is said by the name of the registry, as in the list.
    await page.getByText(`Branch office · ${name}:1.0`, { exact: true }).waitFor();
    await page.getByText(`to Branch office · ${name}:1.0`).waitFor();
    expect((await fetchManifest(elsewhere.url, name, '1.0')).status).toBe(200);
    // The account sees before the next push what exists and would be replaced.
    {
      const form = await openPush(page, 'Push again…');
      await form.getByText('The same image is already there.').waitFor();
      await pushImage(elsewhere.url, name, 'stable', await image('another'));
      await form.getByRole('textbox', { name: 'Tag' }).fill('stable');
      await form.getByText('This tag exists and will be replaced:').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
      await form.waitFor({ state: 'detached' });
    }
    // The account reads why the target refused, and pushes again once it accepts.
    {
      office.readOnly = true;
      const form = await openPush(page, 'Push again…');
      await form.getByRole('textbox', { name: 'Tag' }).fill('later');
      await form.getByText('This tag does not exist yet.').waitFor();
      await form.getByRole('button', { name: 'Push', exact: true }).click();
      await page.getByText('Failed', { exact: true }).first().waitFor();
      office.readOnly = false;
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('Done', { exact: true }).nth(1).waitFor();
    }
  });
});

describe.each([
  ['a developer', DEVELOPER],
  ['an administrator', ADMIN],
] as const)('%s with a batch for the branch office', (_, account) => {
  const it = visitedBy(() => signedIn(browser, product.url, account));
  const [owner] = account;

  async function build(page: Page, list: string): Promise<void> {
    await page.goto('/transfers/new');
    await pickOption(page, 'From', /Supplier/);
    await pickOption(page, 'To', /Branch office/);
    await page.getByRole('button', { name: 'Paste list…' }).click();
    const lines = list.split('\n').length;
    await dialog(page, 'Paste list').getByRole('textbox').fill(list);
    await page.getByRole('button', { name: new RegExp(`^Add ${lines} line`) }).click();
  }

  it('sees refused pushes, and retries only those once the target accepts', async ({ page }) => {
    office.readOnly = true;
    for (const name of ['a', 'b'])
      await pushImage(upstream.url, `${owner}/${name}`, '1.0', await image(owner + name));
    await build(page, `${owner}/a:1.0\n${owner}/b:1.0\n${owner}/none:1.0`);
    await page.getByRole('button', { name: /^Transfer/ }).click();
    await page.getByText('Failed', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Retry failed' }).waitFor();
    office.readOnly = false;
    await pushImage(upstream.url, `${owner}/none`, '1.0', await image(`${owner} none`));
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByText('3 of 3 pushed').waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
    expect((await fetchManifest(elsewhere.url, `${owner}/b`, '1.0')).status).toBe(200);
  });

  it('stops a running transfer; jobs that had not begun are cancelled', async ({ page }) => {
    for (const name of ['slow-a', 'slow-b', 'slow-c'])
      await pushImage(upstream.url, `${owner}/${name}`, '1.0', await image(owner + name));
    // Minutes each: they are viewed and stopped before that.
    supplier.bytesPerSecond = 0.02 * MEGABYTE;
    await build(page, `${owner}/slow-a:1.0\n${owner}/slow-b:1.0\n${owner}/slow-c:1.0`);
    await page.getByRole('button', { name: /^Transfer/ }).click();
    await page
      .getByText(/kB\/s|MB\/s/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    await page.getByText('0 of 3 pushed').waitFor();
    expect((await fetchManifest(elsewhere.url, `${owner}/slow-a`, '1.0')).status).toBe(404);
  });

  it('schedules it, reads its next run, pauses it and deletes it', async ({ page }) => {
    await build(page, 'acme/one:1.0');
    await page.getByRole('link', { name: 'Schedule…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('To the branch');
    await page.getByText('At 03:00, every day', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save schedule' }).click();
    const schedule = row(page, 'To the branch');
    await schedule.getByText(/03:00/).nth(1).waitFor();
    await schedule.getByRole('switch').press('Space');
    await schedule.getByText('paused').waitFor();
    await schedule.getByRole('switch').press('Space');
    await schedule.getByText('paused').waitFor({ state: 'detached' });
    await schedule.getByRole('button', { name: 'Actions for To the branch' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete schedule' }).click();
    // The notice leaves by itself, the row stays away.
    await page.getByText('To the branch was deleted.').waitFor();
    await schedule.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No schedules yet' }).waitFor();
  });
});

describe('a developer with a signed image', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER));
  const SIGNATURE = 'application/vnd.dev.sigstore.bundle.v0.3+json';
  const SBOM = 'application/spdx+json';

  it('sees its referrers', async ({ page }) => {
    const credentials = { username: DEVELOPER[0], password: DEVELOPER[1] };
    const signed = await image('signed');
    await pushImage(product.url, 'team/signed', '1.0', signed, { credentials });
    for (const type of [SIGNATURE, SBOM]) {
      const layers = [{ mediaType: type, bytes: Buffer.from(`{"of":"${type}"}`) }];
      const attached = buildArtifact({ artifactType: type, layers, subject: signed.descriptor });
      await pushImage(product.url, 'team/signed', null, attached, { credentials });
    }
    await page.goto('/images/__local__/team/signed?tag=1.0');
    const drawer = dialog(page, 'team/signed:1.0');
    await drawer.getByRole('row', { name: /^Signature/ }).waitFor();
    await drawer.getByRole('row', { name: /^SBOM \(SPDX\)/ }).waitFor();
    await drawer.getByRole('row', { name: /^Signature/ }).scrollIntoViewIfNeeded();
    const kinds = drawer.getByRole('row', { name: /^(?:Signature|SBOM)/ });
    const first = (kind: string) =>
      expect.poll(() => kinds.first().textContent()).toMatch(new RegExp(`^${kind}`));
    await first('SBOM');
    await drawer.getByRole('columnheader').getByRole('button', { name: 'Type' }).click();
    await first('Signature');
    await page.reload();
    await first('Signature');
    await expect.poll(() => new URL(page.url()).search).toBe('?tag=1.0&artifact_sort=-kind');
  });
});
