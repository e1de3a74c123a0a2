/**
 * Every page: on a small phone nothing moves while it loads, and nothing is covered; nothing is too
 * small to hit, there and on a laptop.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import {
  browseTo,
  type ExampleProduct,
  exampleProduct,
  openWhole,
} from '../../support/example-product.ts';
import { PAGE_NAMES } from '../../support/pages.ts';

/** Below 0.1 is good (web.dev/articles/cls). */
const MOST_SHIFT = 0.05;
/** WCAG 2.2 § 2.5.8. */
const SMALLEST = 24;
const PHONE = { width: 360, height: 740 };
const LATENCY_MS = 150;
const LONGEST_MS = 100_000;

let browsed: ExampleProduct;

beforeAll(async () => {
  browsed = await exampleProduct();
});
afterAll(() => browsed?.stop());

interface Shift {
  value: number;
  /** The elements that moved, and from where to where. */
  moved: string[];
}

/** Runs in the page before its scripts. */
function watchShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(globalThis, { shifts });
  type Entry = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const name = node instanceof Element ? node.outerHTML.slice(0, 90) : String(node?.nodeName);
        return `${name}: ${previousRect.top}+${previousRect.height} to ${currentRect.top}+${currentRect.height}`;
      });
      if (!hadRecentInput) shifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/**
 * Targets below the smallest size. Links inside of a text, those whose `::after` covers the row,
 * and the arrows of number fields, which the keyboard has as well, are exempt. A box or a switch
 * is as large as it is together with its label, which is clicked as well.
 */
function smallTargets(smallest: number): string[] {
  const targets = document.querySelectorAll<HTMLElement>(
    `button, a[href], summary, select, textarea, input:not([type="hidden"]), [role="button"],
     [role="menuitem"], [role="treeitem"], [role="tab"], [role="switch"], [role="radio"]`,
  );
  const isCovering = (target: Element) =>
    getComputedStyle(target, '::after').position === 'absolute';
  const isInText = (target: Element) =>
    getComputedStyle(target).display === 'inline' &&
    target.parentElement?.textContent?.trim() !== target.textContent?.trim();
  const partsOf = (target: HTMLElement) =>
    [
      target,
      ...(target instanceof HTMLInputElement && /box|radio/.test(target.type)
        ? (target.labels ?? [])
        : []),
    ].filter((part) => part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }));
  return [...targets]
    .filter((target) => target.ariaHidden !== 'true' && !isCovering(target) && !isInText(target))
    .flatMap((target) => {
      const rects = partsOf(target).map((part) => part.getBoundingClientRect());
      if (rects.length === 0) return [];
      const reach = (from: 'left' | 'top', to: 'right' | 'bottom') =>
        Math.max(...rects.map((rect) => rect[to])) - Math.min(...rects.map((rect) => rect[from]));
      const [width, height] = [reach('left', 'right'), reach('top', 'bottom')];
      const isSmall = Math.round(width) < smallest || Math.round(height) < smallest;
      return isSmall ? [`${width}×${height} ${target.outerHTML.slice(0, 300)}`] : [];
    });
}

/** Words of a table's row below a button of another cell. */
function coveredWords(): string[] {
  const isCovering = (target: Element) =>
    getComputedStyle(target, '::after').position === 'absolute';
  const rectsOf = (cell: Element) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const rects: DOMRect[] = [];
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      rects.push(...range.getClientRects());
    }
    return rects;
  };
  const meet = (one: DOMRect, other: DOMRect) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return [...document.querySelectorAll('tbody td button')]
    .filter((button) => !isCovering(button))
    .flatMap((button) => {
      const others = [...(button.closest('tr')?.cells ?? [])].filter(
        (cell) => !cell.contains(button),
      );
      const area = button.getBoundingClientRect();
      return others
        .filter((cell) => rectsOf(cell).some((rect) => meet(rect, area)))
        .map((cell) => `“${button.textContent}” covers “${cell.textContent}”`);
    });
}

describe('on a small phone', () => {
  const it = visitedBy(async () => {
    const visitor = await signedIn(browsed.browser, browsed.product.url, ADMIN);
    const { page } = visitor;
    // Tables of a hundred rows take long on a busy machine and a slow line.
    page.setDefaultTimeout(LONGEST_MS);
    await page.setViewportSize(PHONE);
    await page.addInitScript(watchShifts);
    const debug = await page.context().newCDPSession(page);
    await debug.send('Network.enable');
    await debug.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 },
    });
    return visitor;
  });

  it.for(PAGE_NAMES)(
    '%s does not move while it loads, and all of it can be hit',
    async (name, { page }) => {
      // On a slow line each page shows its outline first.
      await openWhole(page, browsed.pages[name] ?? '');
      const shifts = await page.evaluate(
        () => (globalThis as unknown as { shifts: Shift[] }).shifts,
      );
      const sum = shifts.reduce((total, { value }) => total + value, 0);
      expect.soft(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(MOST_SHIFT);
      expect.soft(await page.evaluate(smallTargets, SMALLEST)).toEqual([]);
      expect.soft(await page.evaluate(coveredWords)).toEqual([]);
    },
  );
});

/** The lines of the heading of the page, and whether it goes beyond the window. */
function headline(): { lines: number; cut: boolean } {
  const [heading] = document.getElementsByTagName('h1');
  if (!heading) throw new Error('the page has no heading');
  const { lineHeight } = getComputedStyle(heading);
  const { height, right } = heading.getBoundingClientRect();
  return {
    lines: Math.round(height / Number.parseFloat(lineHeight)),
    cut: right > document.documentElement.clientWidth,
  };
}

describe('a very long name', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

  it.for([1280, PHONE.width])(
    'has at most two lines in the heading at %i px',
    async (width, { page }) => {
      await page.setViewportSize({ width, height: 800 });
      await openWhole(page, browsed.pages['failed-job'] ?? '');
      expect(await page.evaluate(headline)).toEqual({ lines: 2, cut: false });
      const state = page.getByRole('heading', { name: 'Failed', exact: true });
      const [name, below] = await Promise.all([
        page.getByRole('heading', { level: 1 }).boundingBox(),
        state.boundingBox(),
      ]);
      expect(below?.y).toBeGreaterThan((name?.y ?? 0) + (name?.height ?? 0));
    },
  );
});

describe('on a laptop', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

  it.for(PAGE_NAMES)('all of %s can be hit', async (name, { page }) => {
    await browseTo(page, browsed.pages[name] ?? '');
    expect(await page.evaluate(smallTargets, SMALLEST)).toEqual([]);
  });
});
