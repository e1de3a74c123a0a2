/** The page in French and German in a browser: no English text is left, and no text is cut off. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import {
  type Account,
  expectWellMade,
  onPhone,
  requestsEnded,
  signedIn,
  visit,
  visitedBy,
} from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { logIn, type Product, settled } from '../support/product.ts';

let browsed: SuppliedProduct;
let product: Product;
let browser: Browser;
let job: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ product, browser } = browsed);
  job = await pull();
}, 300_000);

afterAll(() => browsed?.stop());

/** A job with findings, a failed transfer and a schedule, for the pages to show. */
async function pull(): Promise<string> {
  const dev = await logIn(product, ...DEVELOPER);
  const source = { image: 'acme/old', tag: '1.0', source_registry_host: browsed.upstream.host };
  const { job_id } = (await dev('POST', '/api/staging/pull', source)).body;
  expect((await settled(dev, job_id)).verdict).toBe('blocked');
  const gone = { image: 'acme/gone', tag: '1.0', source_registry_host: browsed.upstream.host };
  await settled(dev, (await dev('POST', '/api/staging/pull', gone)).body.job_id);
  const registry = { name: 'Zulieferer', host: browsed.upstream.host, use_tls: false };
  const { id } = (await dev('POST', '/api/registries', registry)).body;
  const batch = {
    source_registry_id: id,
    dest_folder: 'team',
    images: [{ repository: 'acme/none', tag: '1' }],
  };
  expect((await dev('POST', '/api/transfer', batch)).status).toBe(202);
  const times = { name: 'Nacht', cron: '30 2 * * 1', timezone: 'Europe/Paris', enabled: true };
  expect((await dev('POST', '/api/transfer/schedules', { ...batch, ...times })).status).toBe(201);
  return job_id;
}

/** Every visible or spoken text, except what is marked as English or as code. */
function texts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const skipped = 'code, pre, [lang="en"], script, style, svg';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const shown = node.parentElement?.checkVisibility() && !node.parentElement.closest(skipped);
      if (shown && node.textContent) found.add(node.textContent.trim());
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title'])
        if (!element.closest(skipped)) found.add(element.getAttribute(name)?.trim() ?? '');
    found.add(document.title.replace(' · Portcullis', ''));
    return [...found];
  });
}

/** Text that is cut off without an ellipsis, a scroll bar or a line break. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, a, label, h1, h2, h3, th, td, legend, p, span')]
      .filter((element) => {
        if (element.textContent.trim() === '') return false;
        const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
        const clips = overflowX === 'hidden' || overflowX === 'clip';
        return (
          clips &&
          textOverflow !== 'ellipsis' &&
          clipPath === 'none' &&
          element.clientWidth > 2 &&
          element.scrollWidth > element.clientWidth + 1
        );
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  );
}

/** Texts that are the same in every language: names, data, and words that English shares. */
const SHARED =
  /^(?:[^\p{L}]*|\p{L}|Portcullis|admin|dev|developers|team|acme\/.*|Docker Hub|Images?|Verdict|Digest|Tags?|Registry|Registries|Repository|Repositories|System|Scanner|Host|Name|Ports?|Proxy|Syslog|Live|Menu|Notifications|Status|Source|Description|Destination|Options|Format|Token|Labels|Action|Type|Total|E-mail|TLS|Details|Log|Layers?|Upload|Administrator|Jobs?|Pushe?s?|\d+ jobs?|\d+ tags?|\+\d+|Session|UTC|English|Français|Deutsch|Zulieferer.*|Nacht|.*127\.0\.0\.1.*|.*localhost.*|linux\/.*|CVE-.*|openssl.*|libssl.*|debian.*|trivy.*|.*Europe\/Paris.*|docker, podman, helm|latest|Portcullis.*|Version .*|\d+ blobs?|\d+ images?)$/u;

const PAGES: readonly [Account, string][] = [
  [DEVELOPER, '/dashboard'],
  [DEVELOPER, '/staging'],
  [DEVELOPER, '/staging/new'],
  [DEVELOPER, 'job'],
  [DEVELOPER, 'failed job'],
  [DEVELOPER, 'push'],
  [DEVELOPER, '/images'],
  [DEVELOPER, '/transfers'],
  [DEVELOPER, '/transfers?show=schedules'],
  [DEVELOPER, '/transfers/new'],
  [DEVELOPER, '/transfers/schedules/new'],
  [DEVELOPER, '/registries'],
  [DEVELOPER, '/settings/account'],
  [DEVELOPER, '/settings/users'],
  [DEVELOPER, '/nowhere'],
  [ADMIN, '/dashboard'],
  [ADMIN, '/settings/users'],
  [ADMIN, '/settings/groups'],
  [ADMIN, '/settings/folders'],
  [ADMIN, '/settings/scan'],
  [ADMIN, '/settings/sign-on'],
  [ADMIN, '/settings/network'],
  [ADMIN, '/audit'],
  [ADMIN, '/system'],
];

async function open(page: Page, place: string): Promise<void> {
  const inJob = place === 'job' || place === 'push';
  await page.goto(inJob ? `/staging/${job}` : place === 'failed job' ? '/staging' : place);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (place === 'failed job') await page.getByRole('link', { name: 'acme/gone:1.0' }).click();
  if (place === 'push')
    await page
      .getByRole('main')
      .getByRole('button', { name: /Push|Pousser/ })
      .click();
}

async function filled(page: Page, place: string): Promise<string[]> {
  await open(page, place);
  await requestsEnded(page);
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(200);
  return texts(page);
}

async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('portcullis.language', chosen), language);
}

describe.each([
  ['fr', 'fr-FR', 'Se connecter', 'Zone de transit', /^\d{1,2} \p{L}+\.? \d{4}, 02:30$/u, /lundi/],
  ['de', 'de-DE', 'Anmelden', 'Staging-Bereich', /^\d\d\.\d\d\.\d{4}, 02:30$/, /Montag/],
] as const)('somebody who reads %s', (language, locale, enter, staging, date, weekday) => {
  const it = visitedBy(() => visit(browser, product.url, { locale }));

  it('signs in, chooses the language in the menu, and keeps it', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: enter }).waitFor();
    expect(await cutOff(page)).toEqual([]);
    await page.locator('input[autocomplete=username]').fill(DEVELOPER[0]);
    await page.locator('input[type=password]').fill(DEVELOPER[1]);
    await page.getByRole('button', { name: enter }).click();
    await page.getByRole('heading', { name: staging, exact: true }).waitFor();
    await page.getByRole('button', { name: DEVELOPER[0], exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
    await expectWellMade(page, `menu-${language}`);
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Staging', exact: true }).waitFor();
    await page
      .getByRole('menuitemradio', { name: { fr: 'Français', de: 'Deutsch' }[language] })
      .click();
    await page.getByRole('heading', { name: staging, exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: staging, exact: true }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
  });

  it('reads dates, numbers and times in the local format', async ({ page }) => {
    await page.goto('/transfers?show=schedules');
    await page.getByRole('cell', { name: weekday }).waitFor();
    await page.getByText(date).waitFor();
    await page.goto(`/staging/${job}`);
    await page.getByText(/^\d+(?:,\d)?\s(?:kB|ko|MB|Mo)$/).waitFor();
  });
});

describe.each([
  ['a developer', DEVELOPER],
  ['an administrator', ADMIN],
] as const)('in French and German no text is in English or cut off, for %s', (_, account) => {
  const it = visitedBy(() => signedIn(browser, product.url, account));
  const routes = PAGES.filter(([who]) => who === account).map(([, place]) => place);

  it.for(routes)('on %s', async (place, { page }) => {
    await speak(page, 'en');
    const english = new Set(await filled(page, place));
    const left = async () =>
      (await texts(page)).filter((text) => english.has(text) && !SHARED.test(text));
    for (const language of ['fr', 'de']) {
      const name = `${language}-${account[0]}-${place.replaceAll(/\W+/g, '-')}`;
      await speak(page, language);
      await filled(page, place);
      await expect.poll(left, { message: name }).toEqual([]);
      const cut = () => expect.poll(() => cutOff(page), { message: name }).toEqual([]);
      await onPhone(page, name, cut);
    }
  });
});
