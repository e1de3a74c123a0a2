/** The notifications of an account in a browser: the bell, and the choice of what it receives. */
import { randomUUID } from 'node:crypto';
import { GROUP_NOTICE_COOKIE } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { type NewNotification, openStore, type Store } from '@portcullis/store';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { expectFocused, onPhone, signedIn, speak, visitedBy } from '../support/browser.ts';
import { DEVELOPER } from '../support/developer.ts';
import { bodyOf, type Call, logIn } from '../support/product.ts';

let browsed: SuppliedProduct;
let browser: Browser;
let url: string;
let store: Store;
/** The developer, over the API. */
let dev: Call;
let devId: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ browser, url } = browsed);
  store = openStore(await browsed.product.databaseUrl(), sealer(Buffer.alloc(32)));
  dev = await logIn(browsed.product, ...DEVELOPER);
  devId = (await bodyOf(dev('GET', '/api/auth/me'))).id;
});

afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

const bell = (page: Page, unread = 0) =>
  page.getByRole('button', {
    name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`,
    exact: true,
  });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const isFocused = (page: Page, name: string | RegExp) =>
  page.locator(':focus').and(page.getByRole('link', { name })).waitFor();
const titleIsFocused = (page: Page) =>
  page
    .locator(':focus')
    .and(page.getByRole('heading', { name: 'Notifications' }))
    .waitFor();
/** The page takes the time of the newest one for now, because midnight may pass. */
async function atTheNewest(page: Page): Promise<void> {
  const { items } = await bodyOf(dev('GET', '/api/notifications'));
  await page.clock.setFixedTime(items[0].created_at);
}
const unread = async () => (await bodyOf(dev('GET', '/api/notifications'))).unread;

const DAY_MS = 86_400_000;

const BLOCKED = {
  ...({ state: 'blocked', code: 'VULN_BLOCKED', waitsFor: null, caveat: null } as const),
  ...{ blockingTotal: 2, fixableTotal: 1, found: null, until: null, by: [] },
};

/** Minutes before now, each one more than the one before. */
const add = (...rows: Partial<NewNotification>[]) =>
  store.notifications.insert(
    rows.map((row, index) => ({
      ...{ userId: devId, kind: 'job.pushed', key: randomUUID(), subject: '' },
      ...{ target: 'job', targetId: randomUUID(), repository: null, folder: null, facts: {} },
      at: new Date(Date.now() - (index + 1) * 60_000).toISOString(),
      ...row,
    })),
  );

async function pull(): Promise<void> {
  const source = { image: 'acme/old', tag: '1.0', source_registry_host: browsed.upstream.host };
  const answer = await dev('POST', '/api/staging/pull', source);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
}

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER), /status of 404/);

  it('learns once that the groups were not read at the sign-in', async ({ page }) => {
    const cookies = page.context();
    await cookies.addCookies([{ name: GROUP_NOTICE_COOKIE, value: 'overage', url }]);
    await page.goto(url);
    const notice = page.getByRole('status').filter({ hasText: 'Your groups could not be read' });
    await notice.getByText('in more groups than the identity provider sends').waitFor();
    await notice.getByRole('button', { name: 'Close this notice' }).click();
    await notice.waitFor({ state: 'detached' });
    expect((await cookies.cookies()).map(({ name }) => name)).not.toContain(GROUP_NOTICE_COOKIE);
  });

  it('reads what would appear where there are no notifications', async ({ page }) => {
    await page.goto('/staging');
    await bell(page).click();
    await panel(page).getByText('No notifications yet').waitFor();
    await titleIsFocused(page);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await page.locator(':focus').and(bell(page)).waitFor();
  });

  it('sees at once, on any page, that an own image was blocked', async ({ page }) => {
    await page.goto('/images');
    await bell(page).waitFor();
    await pull();
    await bell(page, 1).waitFor();
  });

  it('opens its job with the keyboard, which marks it as read', async ({ page }) => {
    await atTheNewest(page);
    await page.goto('/images');
    await bell(page, 1).focus();
    await page.keyboard.press('Enter');
    await titleIsFocused(page);
    await panel(page).getByRole('heading', { name: 'Today' }).waitFor();
    await titleIsFocused(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await isFocused(page, /^Unread: .*acme\/old:1\.0 was blocked by policy/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Blocked by policy' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/staging\/.+/);
    await page.locator(':focus').and(bell(page)).waitFor();
    await expect.poll(unread).toBe(0);
  });

  it('reads all kinds, and marks one and then all of them as read', async ({ page }) => {
    // The developer reads all kinds, the newest day first, and what each is about.
    await add(...samples());
    await atTheNewest(page);
    await page.goto('/staging');
    await bell(page, 8).click();
    const days = panel(page).getByRole('heading', { level: 3 });
    await expect
      .poll(async () => (await days.allTextContents()).slice(0, 2))
      .toEqual(['Today', 'Yesterday']);
    // The built-in registry has the name of this page's host, as everywhere.
    await panel(page)
      .getByText(`To ${new URL(url).host}/team/web:2.1`)
      .waitFor();
    await panel(page).getByText('To localhost:5000/team/tool:7').waitFor();
    await panel(page).getByText('3 pushed, 1 blocked, 0 failed').waitFor();
    await panel(page).getByText('Blocked · 2 · Policy strict, still served until').waitFor();
    await panel(page).getByText('By rita: There is a fix.').waitFor();
    // The developer marks one as read, and stays at it with the keyboard.
    await panel(page)
      .getByRole('button', { name: 'Mark as read: team/web:2.1 was pushed' })
      .press('Enter');
    await isFocused(page, /^team\/web:2\.1 was pushed/);
    await bell(page, 7).waitFor();
    await expect.poll(unread).toBe(7);
    // The developer marks all as read.
    await panel(page).getByRole('button', { name: 'Mark all as read' }).click();
    await titleIsFocused(page);
    await bell(page).waitFor();
    const marks = panel(page).getByRole('button', { name: /^Mark/ });
    await expect.poll(() => marks.count()).toBe(0);
    await expect.poll(unread).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('sees the count fall when another page reads them', async ({ page }) => {
    await add({ subject: 'team/app:1' });
    await page.goto('/staging');
    await bell(page, 1).waitFor();
    await dev('POST', '/api/notifications/read', {});
    await bell(page).waitFor();
  });

  it('reads older ones on demand', async ({ page }) => {
    const at = (n: number) => new Date(Date.now() - 30 * DAY_MS - n * 1_000).toISOString();
    await add(...Array.from({ length: 20 }, (_, n) => ({ subject: `team/old:${n}`, at: at(n) })));
    await page.goto('/staging');
    await bell(page, 20).click();
    await panel(page).getByText('team/old:0 was pushed').waitFor();
    const items = panel(page).getByRole('listitem');
    const shown = await items.count();
    await panel(page).getByRole('button', { name: 'Show older ones' }).press('Enter');
    await panel(page).getByText('team/old:19 was pushed').waitFor();
    await expectFocused(items.nth(shown).getByRole('link'));
    await panel(page).getByRole('button', { name: 'Mark all as read' }).click();
    await bell(page).waitFor();
    await page.keyboard.press('Escape');
  });

  it('opens the bell in the header of a phone', async ({ page }) => {
    await page.goto('/staging');
    await onPhone(page, 'notifications-phone', async () => {
      await bell(page).click();
      await panel(page).getByText('Your transfer has finished').click();
      await page.waitForURL('**/transfers/*');
    });
  });

  it.for([
    ['fr', 'Notifications', 'Aujourd’hui'],
    ['de', 'Benachrichtigungen', 'Heute'],
  ] as const)('reads them in the language %s', async ([language, name, today], { page }) => {
    await atTheNewest(page);
    await page.goto('/staging');
    await speak(page, language);
    await page.reload();
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('heading', { name: today }).waitFor();
  });
});

/** Of the kinds that the developer has on the page by default. */
function samples(): Partial<NewNotification>[] {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const waiver = { target: 'waiver', targetId: randomUUID(), subject: 'CVE-2026-1111' } as const;
  return [
    {
      subject: 'team/web:2.1',
      facts: { destination: 'localhost/team/web:2.1', local: true },
    },
    {
      subject: 'team/tool:7',
      facts: { destination: 'localhost:5000/team/tool:7', local: false },
    },
    {
      kind: 'job.failed',
      subject: 'docker.io/library/a-rather-long-name-of-an-image-of-a-team:2026.11.24',
      facts: { code: 'MANIFEST_UNKNOWN' },
    },
    {
      ...{ kind: 'transfer.finished', target: 'transfer' },
      facts: { pushed: 3, blocked: 1, failed: 0 },
    },
    {
      ...{ kind: 'image.blocked', subject: 'team/shop', target: 'image', targetId: null },
      repository: 'team/shop',
      facts: { policy: 'strict', graceUntil: '2026-12-01T00:00:00.000Z', standing: BLOCKED },
    },
    {
      ...{ kind: 'waiver.decided', ...waiver, at: yesterday },
      facts: { decision: 'rejected', by: 'rita', reason: 'There is a fix.' },
    },
    {
      ...{ kind: 'waiver.ending', ...waiver, targetId: null },
      ...{ facts: { count: 2, endsAt: '2026-12-03T00:00:00.000Z' } },
      at: new Date(Date.now() - 12 * DAY_MS).toISOString(),
    },
    {
      ...{ kind: 'job.blocked', subject: 'team/base:12' },
      at: new Date(Date.now() - 12 * DAY_MS - 60_000).toISOString(),
    },
  ];
}
