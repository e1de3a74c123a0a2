/** Lists of settings in a browser: several entries are selected, and changed with one undo. */
import { startRegistry, type TestRegistry } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import {
  expectWellMade,
  signedIn,
  speak,
  visitedBy,
  withoutTimers,
} from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { type Call, logIn } from '../../support/product.ts';

const PATIENCE = { timeout: 60_000 };

let browsed: BrowsedProduct;
let registry: TestRegistry;
let admin: Call;

beforeAll(async () => {
  registry = await startRegistry();
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false', EGRESS_ALLOW: registry.host });
  await addDeveloper(browsed.product, ...DEVELOPER);
  admin = await logIn(browsed.product, ...ADMIN);
}, 300_000);

afterAll(async () => {
  await browsed?.stop();
  await registry?.stop();
});

const bar = (page: Page) => page.getByRole('region', { name: /^Selected rows/ });
const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const everyBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded rows' });
const rows = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const question = (page: Page, of: string) =>
  page.getByRole('dialog', { name: `Delete ${of}?`, exact: true });
const confirm = (page: Page, of: string) =>
  question(page, of).getByRole('button', { name: 'Delete', exact: true }).click();
async function made(path: string, body: object): Promise<{ id: string }> {
  const { status, body: answer } = await admin('POST', path, body);
  expect([status, answer.errors]).toEqual([201, undefined]);
  return answer;
}

async function namesAt(path: string): Promise<string[]> {
  const { body } = await admin('GET', path);
  return body.map(({ name }: { name: string }) => name);
}

describe('groups', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it('are deleted after a question and a time for undo; others are named', async ({ page }) => {
    const names = ['group-1', 'group-2', 'group-3', 'group-4'];
    const groups = [];
    for (const name of names) groups.push(await made('/api/groups', { name }));
    await page.goto('/settings/groups');
    await box(page, 'group-1').click();
    await box(page, 'group-3').click({ modifiers: ['Shift'] });
    await expectWellMade(page, 'groups-selection');
    await action(page, 'Delete').click();
    await question(page, '3 groups').getByText('group-1, group-2 and group-3').waitFor();
    await expectWellMade(page, 'groups-delete');
    await withoutTimers(page, async () => {
      await confirm(page, '3 groups');
      await page.getByText('3 groups will be deleted.').waitFor();
      await box(page, 'group-1').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await box(page, 'group-1').waitFor();
    });
    expect(await namesAt('/api/groups')).toEqual(expect.arrayContaining(names));
    await box(page, 'group-2').click();
    await box(page, 'group-4').click({ modifiers: ['Shift'] });
    expect((await admin('DELETE', `/api/groups/${groups[2]?.id}`)).status).toBe(204);
    await action(page, 'Delete').click();
    await confirm(page, '3 groups');
    await page.getByText('Done: 2 rows. Not done: 1 row.').waitFor(PATIENCE);
    await page.getByText(/^group-3: /).waitFor();
    const left = await namesAt('/api/groups');
    expect(left.filter((name) => names.includes(name))).toEqual(['group-1']);
  });

  it.for([
    ['de', 'group-1 auswählen'],
    ['fr', 'Sélectionner group-1'],
    ['en', 'Select group-1'],
  ] as const)('are named by their checkboxes in %s', async ([language, name], { page }) => {
    await speak(page, language);
    await page.reload();
    await page.getByRole('checkbox', { name, exact: true }).waitFor();
  });
});

describe('robots and trust rules', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));
  const robots = ['robot-1', 'robot-2', 'robot-3'];
  const disabled = (page: Page) =>
    rows(page).filter({ has: page.getByText('Disabled', { exact: true }) });

  beforeAll(async () => {
    for (const name of robots) {
      const robot = await made('/api/robots', { name });
      await made('/api/trusts', {
        ...{ name: `rule of ${name}`, issuer: 'https://gitlab.example.com', audience: 'here' },
        ...{ conditions: { project_path: [`acme/${name}`] }, robot_id: robot.id, scope: 'docker' },
      });
    }
  });

  it('are disabled and enabled with one undo', async ({ page }) => {
    await page.goto('/settings/robots');
    await box(page, 'robot-1').click();
    await box(page, 'robot-2').click({ modifiers: ['Shift'] });
    expect(await action(page, 'Enable').isDisabled()).toBe(true);
    await expectWellMade(page, 'robots-selection');
    await action(page, 'Disable').click();
    await page.getByText('2 robots will be disabled, and all tokens revoked.').waitFor();
    await expect.poll(() => disabled(page).count(), PATIENCE).toBe(2);
    // Both lists have a selection, with a bar each.
    await box(page, 'robot-3').click();
    await box(page, 'rule of robot-2').click();
    await box(page, 'rule of robot-3').click({ modifiers: ['Shift'] });
    await expectWellMade(page, 'rules-selection');
    await page
      .getByRole('region', { name: 'Selected rows: Keyless sign-in' })
      .getByRole('button', { name: 'Disable' })
      .click();
    await action(page, 'Clear selection').click();
    await expect.poll(() => disabled(page).count(), PATIENCE).toBe(4);
    await box(page, 'rule of robot-2').click();
    await action(page, 'Enable').click();
    await page.getByText('1 rule will be enabled.').waitFor();
    await expect.poll(() => disabled(page).count(), PATIENCE).toBe(3);
  });

  it('are deleted after a question and a time for undo', async ({ page }) => {
    await box(page, 'rule of robot-1').click();
    await action(page, 'Delete').click();
    await confirm(page, '1 trust rule');
    await expect
      .poll(() => namesAt('/api/trusts'), PATIENCE)
      .toEqual(['rule of robot-2', 'rule of robot-3']);
    await box(page, 'robot-1').click();
    await box(page, 'robot-2').click();
    await action(page, 'Delete').click();
    await question(page, '2 robots').getByText('robot-1 and robot-2').waitFor();
    await withoutTimers(page, async () => {
      await confirm(page, '2 robots');
      await box(page, 'robot-1').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await box(page, 'robot-1').waitFor();
    });
    await box(page, 'robot-1').click();
    await action(page, 'Delete').click();
    await confirm(page, '1 robot');
    await expect.poll(() => namesAt('/api/robots'), PATIENCE).toEqual(['robot-2', 'robot-3']);
  });
});

describe('registries', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER));

  it('are tested together, and only those of the account are deleted', async ({ page }) => {
    const place = { host: registry.host, use_tls: false };
    await made('/api/registries', { ...place, name: 'for all', owner: 'global' });
    const developer = await logIn(browsed.product, ...DEVELOPER);
    for (const name of ['own 1', 'own 2'])
      expect((await developer('POST', '/api/registries', { ...place, name })).status).toBe(201);
    await page.goto('/registries');
    await box(page, 'for all').click();
    expect(await action(page, 'Delete').isDisabled()).toBe(true);
    await everyBox(page).click();
    await expectWellMade(page, 'registries-selection');
    await action(page, 'Test').click();
    await page.getByText('3 registries are being tested. The list shows each result.').waitFor();
    await expect.poll(() => rows(page).getByText('Connected').count(), PATIENCE).toBe(3);
    await everyBox(page).click();
    await action(page, 'Delete').click();
    const asked = question(page, '2 registries');
    await asked.getByText('own 1 and own 2').waitFor();
    await asked
      .getByText('1 selected row is left out: you are not allowed to delete it.')
      .waitFor();
    await expectWellMade(page, 'registries-delete');
    await confirm(page, '2 registries');
    await expect.poll(() => rows(page).count(), PATIENCE).toBe(1);
    await expect.poll(() => namesAt('/api/registries'), PATIENCE).toEqual(['for all']);
  });

  it('of settings have no checkboxes for people without the right', async ({ page }) => {
    const [group] = (await admin('GET', '/api/groups')).body;
    await made('/api/robots', { name: 'of-the-team', owner_group_id: group.id });
    await page.goto('/settings/robots');
    await page.getByRole('button', { name: 'of-the-team', exact: true }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
