/** A browser for the running product, and the checks that every page must pass. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { eventually, PATIENCE_MS } from '@portcullis/testing';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  ALL_RULES,
  COLOUR_RULES,
  type Contrasts,
  contrastsOf,
  type Rules,
  violations,
  violationsSince,
} from './axe.ts';
import { tokenOf } from './product.ts';

const SHOTS = process.env.PORTCULLIS_SHOTS;

export type Account = readonly [username: string, password: string];

/** Errors in the page's console are collected in `faults`. */
export interface Visitor {
  page: Page;
  faults: string[];
  close(): Promise<void>;
}

export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    viewport: DESKTOP,
    // Nothing is tested while it moves.
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  watchRequests(page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // Of a failed request: its status and its address.
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
  });
  return { page, faults, close: () => context.close() };
}

interface SignedInOptions extends BrowserContextOptions {
  /** Chosen in this browser before. */
  language?: string;
  /** For a test that ends its session. */
  hasOwnSession?: boolean;
}

/**
 * A browser in which the account signed in before. Its page is empty: each test opens what it
 * needs. Only tests of signing in use the form.
 */
export async function signedIn(
  browser: Browser,
  url: string,
  account: Account,
  { language, hasOwnSession = false, ...options }: SignedInOptions = {},
): Promise<Visitor> {
  const token = await (hasOwnSession ? tokenOf({ url }, ...account) : sessionOf(url, account));
  const { origin, hostname } = new URL(url);
  const remembered = [
    { name: 'portcullis.signed-in', value: '1' },
    ...(language === undefined ? [] : [{ name: 'portcullis.language', value: language }]),
  ];
  const cookie = { name: 'pc_token', value: token, domain: hostname, path: '/', expires: -1 };
  const storageState = {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' as const }],
    origins: [{ origin, localStorage: remembered }],
  };
  return visit(browser, url, { storageState, ...options });
}

const sessions = new Map<string, Promise<string>>();

/** One for each account of a product. */
function sessionOf(url: string, account: Account): Promise<string> {
  const key = JSON.stringify([url, ...account]);
  const session = sessions.get(key) ?? tokenOf({ url }, ...account);
  sessions.set(key, session);
  return session;
}

/** Chooses a language, which the page has after a reload. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((chosen) => localStorage.setItem('portcullis.language', chosen), language);
}

const underWay = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const pending = new Set<Request>();
  underWay.set(page, pending);
  page.on('request', (request) => {
    if (request.isNavigationRequest()) pending.clear();
    const isEndless = new URL(request.url()).pathname.endsWith('/events');
    if (request.resourceType() === 'fetch' && !isEndless) pending.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => pending.delete(request));
}

const QUIET_MS = 5_000;

/**
 * Waits for the page's requests. Long ones (event streams, slow answers under test) are not
 * awaited.
 */
export async function requestsEnded(page: Page): Promise<void> {
  const count = () => underWay.get(page)?.size ?? 0;
  const none = (requests: number) => requests === 0;
  await eventually(count, none, { patienceMs: QUIET_MS }).catch(() => undefined);
}

/**
 * The session ends while the page sends its next change, not before: the dialog that a look-up
 * without a session opens would cover the button.
 */
export async function endSessionAtNextChange(page: Page): Promise<void> {
  const address = '**/api/**';
  await page.route(address, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await page.context().clearCookies();
    await route.continue();
    await page.unroute(address);
  });
}

/** Waits until the element has the focus. */
export async function expectFocused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** The clock can't stop in the past, which a moment is for a page that answers late. */
const LEAP_MS = 10_000;

/**
 * The page's timers do not fire meanwhile: what leaves by itself, such as a notice with its undo,
 * stays however slow the machine is, and what happens is not due to a timer.
 */
export async function withoutTimers(page: Page, act: () => Promise<void>): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + LEAP_MS);
  try {
    await act();
  } finally {
    await page.clock.resume();
  }
}

/** No message in the console is expected. */
export const NO_FAULTS = /(?!)/;

/**
 * Call in a `describe`: each of its tests has its own `visitor`, whose `page` no other test sees.
 *
 * @param expected the errors in the console that a test may cause; any other one fails it. Without
 *   it the console is not read.
 */
export function visitedBy(open: () => Promise<Visitor>, expected?: RegExp) {
  return it
    .extend('visitor', async ({ task }, { onCleanup }) => {
      const visitor = await open();
      onCleanup(async () => {
        if (task.result?.state === 'fail') {
          await saveScreenshot(visitor.page, `failed-${task.name.replaceAll(/\W+/g, '-')}`);
          process.stderr.write(`${task.name}: the page showed\n${await shownOn(visitor.page)}\n`);
        }
        await visitor.close();
        if (expected) expect(visitor.faults.filter((text) => !expected.test(text))).toEqual([]);
      });
      return visitor;
    })
    .extend('page', ({ visitor }) => visitor.page);
}

const SHOWN_LIMIT = 3_000;

/** Its address, and what it shows as a screen reader has it. */
async function shownOn(page: Page): Promise<string> {
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: QUIET_MS })
    .catch((error) => String(error));
  return `${page.url()}\n${shown.slice(0, SHOWN_LIMIT)}`;
}

/** No violation of WCAG 2.2 AA in light and dark mode, and no horizontal scrolling at 360 px. */
export async function expectWellMade(page: Page, name: string): Promise<void> {
  await pointNowhere(page);
  const shown = async (scheme: Scheme, rules: Rules) => {
    await showIn(page, scheme);
    await saveScreenshot(page, `${name}-${scheme}`);
    await expectAccessible(page, `${name} in ${scheme}`, rules);
  };
  await shown('light', ALL_RULES);
  await shown('dark', COLOUR_RULES);
  const contrasts = await contrastsOf(page);
  await onPhone(page, name, () => expectStillAccessible(page, `${name} at 360 px`, contrasts));
  await showIn(page, 'light');
}

/** No violation of WCAG 2.2 AA as the page is now. */
export async function expectAccessible(
  page: Page,
  name: string,
  rules: Rules = ALL_RULES,
): Promise<void> {
  await pointNowhere(page);
  await settled(page);
  const look = (seen: Page) => violations(seen, rules);
  await expectNone(page, look, name);
}

/** As `expectAccessible`, where another width may have changed some of the contrasts. */
export async function expectStillAccessible(
  page: Page,
  name: string,
  before: Contrasts,
): Promise<void> {
  const look = (seen: Page) => violationsSince(seen, before);
  await expectNone(page, look, name);
}

type Scheme = 'light' | 'dark';

export async function showIn(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await settled(page);
}

/** As on a small phone, without horizontal scrolling. */
export async function onPhone(page: Page, name: string, look?: () => Promise<void>): Promise<void> {
  const size = page.viewportSize() ?? DESKTOP;
  await resize(page, PHONE);
  await saveScreenshot(page, `${name}-narrow`);
  await expectNoSideways(page, name);
  await look?.();
  await resize(page, size);
}

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

export async function resize(page: Page, size: typeof DESKTOP): Promise<void> {
  await page.setViewportSize(size);
  await pointNowhere(page);
  // A click while the layout still changes may hit another element.
  await settled(page);
}

/** Of a page that is as narrow as a phone. */
export function expectNoSideways(page: Page, name: string): Promise<void> {
  return expectNone(page, scrolledWidths, `${name} scrolls sideways at ${PHONE.width} px`);
}

/** A page that moves under the pointer may open a tooltip, which is outside of all landmarks. */
function pointNowhere(page: Page): Promise<void> {
  return page.mouse.move(0, 0);
}

async function scrolledWidths(page: Page): Promise<number[]> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow === 0 ? [] : [overflow];
}

/** Of a page whose requests have ended: what is still there is no state between two answers. */
const LOOKS = 5;

/** An answer may change the page during the check: a violation that stays is one. */
async function expectNone<T>(
  page: Page,
  look: (page: Page) => Promise<T[]>,
  message: string,
): Promise<void> {
  let found = await look(page);
  for (let looks = 1; found.length > 0 && looks < LOOKS; looks++) {
    await settled(page);
    found = await look(page);
  }
  if (found.length > 0) throw new Error(`${message}: ${JSON.stringify(found, null, 2)}`);
}

/** Waits for transitions and animations to end, except endless ones. */
export async function settled(page: Page): Promise<void> {
  await requestsEnded(page);
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    await frame();
  });
}

/** Saves screenshots if wanted: `PORTCULLIS_SHOTS=/tmp/shots`. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
}
