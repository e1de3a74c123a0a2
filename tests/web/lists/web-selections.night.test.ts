/** Settings and schedules in a browser: several are selected, and changed with one undo. */

import { openSql, startRegistry, type TestRegistry } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, speak, visitedBy, withoutTimers } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';
import { sortBy } from '../../support/sorted-list.ts';

/** More than a page of the list has. */
const SCHEDULES = 60;

let browsed: BrowsedProduct;
let registry: TestRegistry;
let admin: Call;

beforeAll(async () => {
  registry = await startRegistry();
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false', EGRESS_ALLOW: registry.host });
  await addDeveloper(browsed.product, ...DEVELOPER);
  admin = await logIn(browsed.product, ...ADMIN);
});

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
const count = (page: Page) => expect.poll(() => rows(page).count());
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
  const body = await bodyOf(admin('GET', path));
  return body.map(({ name }: { name: string }) => name);
}

/** Deletes two new groups. The server receives no request of it before the release. */
async function deletionUnderWay(page: Page, names: readonly [string, string]) {
  for (const name of names) await made('/api/groups', { name });
  const held = Promise.withResolvers<void>();
  const deleted: string[] = [];
  await page.route('**/api/groups/*', async (route) => {
    if (route.request().method() === 'DELETE') deleted.push(route.request().url());
    await held.promise;
    await route.continue();
  });
  const begun = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.goto('/settings/groups');
  for (const name of names) await box(page, name).click();
  await action(page, 'Delete').click();
  await confirm(page, '2 groups');
  await begun;
  return { deleted, release: held.resolve };
}

describe('schedules', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));
  const path = '/api/transfer/schedules?sort=name&limit=200';
  const first = (page: Page) => rows(page).first().getByRole('link').first().textContent();
  const enabled = async () =>
    (await bodyOf(admin('GET', path))).filter((each: { enabled: boolean }) => each.enabled).length;

  beforeAll(async () => {
    const images = [{ repository: 'team/app', tag: '1', dest_name: 'mirrored' }];
    const order = { images, source_registry_id: '__local__', dest_folder: 'team' };
    const times = { name: 'original', cron: '30 2 * * 1', timezone: 'UTC', enabled: true };
    await made('/api/transfer/schedules', { ...order, ...times });
    const sql = await openSql(await browsed.product.databaseUrl());
    await sql.query(`
      INSERT INTO transfer_schedules
      SELECT copy.*
        FROM transfer_schedules one, generate_series(1, ${SCHEDULES - 1}) n,
             jsonb_populate_record(one, jsonb_build_object(
               'id', gen_random_uuid(), 'name', 'copy ' || lpad(n::text, 2, '0'),
               'last_run_at', now() - n * interval '1 hour',
               'created_at', one.created_at - n * interval '1 minute')) copy`);
    await sql.end();
  });

  it('are sorted by their headings, also those of the pages that follow', async ({ page }) => {
    await page.goto('/transfers/schedules');
    await expect.poll(() => first(page)).toBe('original');
    await sortBy(page, 'Name');
    await expect.poll(() => first(page)).toBe('copy 01');
    await sortBy(page, 'Name');
    await expect.poll(() => first(page)).toBe('original');
    await sortBy(page, 'Last run');
    await expect.poll(() => first(page)).toBe('copy 01');
    await sortBy(page, 'Last run');
    await expect.poll(() => first(page)).toBe(`copy ${SCHEDULES - 1}`);
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=last_run');
    await page.reload();
    await expect.poll(() => first(page)).toBe(`copy ${SCHEDULES - 1}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await count(page).toBe(SCHEDULES);
    // The one that never ran is the last.
    await expect
      .poll(() => rows(page).last().getByRole('link').first().textContent())
      .toBe('original');
  });

  it('are selected with Shift and Space, and paused after a time for undo', async ({ page }) => {
    await page.goto('/transfers/schedules?sort=name');
    await box(page, 'copy 01').click();
    await box(page, 'copy 04').click({ modifiers: ['Shift'] });
    await rows(page).getByRole('link', { name: 'copy 06', exact: true }).press('Space');
    await bar(page).getByText('5 rows selected').waitFor();
    await expect.poll(() => action(page, 'Resume').isDisabled()).toBe(true);
    await withoutTimers(page, async () => {
      await action(page, 'Pause').click();
      await page.getByText('5 schedules will be paused.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
    });
    await page.getByText('5 schedules will be paused.').waitFor({ state: 'detached' });
    expect(await enabled()).toBe(SCHEDULES);
    await box(page, 'copy 01').click();
    await box(page, 'copy 02').click();
    await action(page, 'Pause').click();
    await expect.poll(enabled).toBe(SCHEDULES - 2);
    await expect.poll(() => rows(page).getByText('paused').count()).toBe(2);
    await everyBox(page).click();
    await action(page, 'Resume').click();
    await page.getByText('2 schedules will be resumed.').waitFor();
    await expect.poll(enabled).toBe(SCHEDULES);
  });

  it('are deleted with all others, also those that are not loaded', async ({ page }) => {
    await page.goto('/transfers/schedules?sort=name');
    await everyBox(page).click();
    await bar(page).getByText('50 rows selected').waitFor();
    await action(page, `Select all ${SCHEDULES} that match`).click();
    await action(page, 'Delete').click();
    await question(page, `${SCHEDULES} schedules`)
      .getByText(/copy 01, copy 02, .* …/)
      .waitFor();
    await withoutTimers(page, async () => {
      await confirm(page, `${SCHEDULES} schedules`);
      await page.getByText(`${SCHEDULES} schedules will be deleted.`).waitFor();
      await count(page).toBe(0);
      // There are more of them, and they come back where this is undone.
      await expect.poll(() => page.getByText('No schedules yet').count()).toBe(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await box(page, 'copy 01').waitFor();
    });
    // A timer renders the others.
    await count(page).toBe(50);
    await everyBox(page).click();
    await action(page, 'Delete').click();
    await confirm(page, '50 schedules');
    await expect.poll(async () => (await namesAt(path)).length).toBe(SCHEDULES - 50);
  });

  it('keep their question where another person deletes them meanwhile', async ({ page }) => {
    const name = `copy ${SCHEDULES - 1}`;
    const body = await bodyOf(admin('GET', path));
    const { id } = body.find((each: { name: string }) => each.name === name);
    await page.goto('/transfers/schedules?sort=name');
    await box(page, name).click();
    await action(page, 'Delete').click();
    await question(page, '1 schedule').waitFor();
    expect((await admin('DELETE', `/api/transfer/schedules/${id}`)).status).toBe(204);
    const link = page.locator('tbody').getByText(name, { exact: true });
    await link.waitFor({ state: 'detached' });
    await confirm(page, '1 schedule');
    await page.getByText(new RegExp(`^${name}: `)).waitFor();
  });
});

describe('groups', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it('are deleted after a question and a time for undo; others are named', async ({ page }) => {
    const names = ['group-1', 'group-2', 'group-3', 'group-4'];
    const groups = [];
    for (const name of names) groups.push(await made('/api/groups', { name }));
    await page.goto('/settings/groups');
    await box(page, 'group-1').click();
    await box(page, 'group-3').click({ modifiers: ['Shift'] });
    await action(page, 'Delete').click();
    await question(page, '3 groups').getByText('group-1, group-2 and group-3').waitFor();
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
    await page.getByText('Done: 2 rows. Not done: 1 row.').waitFor();
    await page.getByText(/^group-3: /).waitFor();
    const left = await namesAt('/api/groups');
    expect(left.filter((name) => names.includes(name))).toEqual(['group-1']);
  });

  it.for([
    ['de', 'group-1 auswählen'],
    ['fr', 'Sélectionner group-1'],
    ['en', 'Select group-1'],
  ] as const)('are named by their checkboxes in %s', async ([language, name], { page }) => {
    await page.goto('/settings/groups');
    await speak(page, language);
    await page.reload();
    await page.getByRole('checkbox', { name, exact: true }).waitFor();
  });

  it('are all deleted, as the browser asks before it closes the page in between', async ({
    page,
  }) => {
    const { release } = await deletionUnderWay(page, ['left-1', 'left-2']);
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    release();
    const left = async () => (await namesAt('/api/groups')).filter((name) => name.includes('left'));
    await expect.poll(left).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('an act that is under way', () => {
  const it = visitedBy(() =>
    signedIn(browsed.browser, browsed.url, ADMIN, { hasOwnSession: true }),
  );

  it('is completed before its account is signed out, and once', async ({ page }) => {
    const { deleted, release } = await deletionUnderWay(page, ['last-1', 'last-2']);
    await page.getByRole('button', { name: /^admin/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    release();
    await page.getByLabel('Username').waitFor();
    expect(await namesAt('/api/groups')).not.toContain('last-2');
    expect(deleted).toHaveLength(2);
    await page.unrouteAll({ behavior: 'wait' });
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
    await expect.poll(() => action(page, 'Enable').isDisabled()).toBe(true);
    await action(page, 'Disable').click();
    await page.getByText('2 robots will be disabled, and all tokens revoked.').waitFor();
    await expect.poll(() => disabled(page).count()).toBe(2);
    // Both lists have a selection, with a bar each.
    await box(page, 'robot-3').click();
    await box(page, 'rule of robot-2').click();
    await box(page, 'rule of robot-3').click({ modifiers: ['Shift'] });
    await page
      .getByRole('region', { name: 'Selected rows: Keyless sign-in' })
      .getByRole('button', { name: 'Disable' })
      .click();
    await action(page, 'Clear selection').click();
    await expect.poll(() => disabled(page).count()).toBe(4);
    await box(page, 'rule of robot-2').click();
    await action(page, 'Enable').click();
    await page.getByText('1 rule will be enabled.').waitFor();
    await expect.poll(() => disabled(page).count()).toBe(3);
  });

  it('are deleted after a question and a time for undo', async ({ page }) => {
    await page.goto('/settings/robots');
    await box(page, 'rule of robot-1').click();
    await action(page, 'Delete').click();
    await confirm(page, '1 trust rule');
    await expect.poll(() => namesAt('/api/trusts')).toEqual(['rule of robot-2', 'rule of robot-3']);
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
    await expect.poll(() => namesAt('/api/robots')).toEqual(['robot-2', 'robot-3']);
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
    await expect.poll(() => action(page, 'Delete').isDisabled()).toBe(true);
    await everyBox(page).click();
    const listed: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/registries') listed.push(request.url());
    });
    await action(page, 'Test').click();
    await page.getByText('3 registries are being tested. The list shows each result.').waitFor();
    await expect.poll(() => rows(page).getByText('Connected').count()).toBe(3);
    // Each list is loaded once for all of them.
    expect(listed).toEqual([...new Set(listed)]);
    await everyBox(page).click();
    await action(page, 'Delete').click();
    const asked = question(page, '2 registries');
    await asked.getByText('own 1 and own 2').waitFor();
    await asked
      .getByText('1 selected row is left out: you are not allowed to delete it.')
      .waitFor();
    await confirm(page, '2 registries');
    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => namesAt('/api/registries')).toEqual(['for all']);
  });

  it('of settings have no checkboxes for people without the right', async ({ page }) => {
    const [group] = await bodyOf(admin('GET', '/api/groups'));
    await made('/api/robots', { name: 'of-the-team', owner_group_id: group.id });
    await page.goto('/settings/robots');
    await page.getByRole('button', { name: 'of-the-team', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
  });
});
