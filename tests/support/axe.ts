/** axe-core in a page of the browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { JSHandle, Page } from 'playwright-core';

export type Rules = Pick<axe.RunOptions, 'runOnly' | 'rules'>;

/** Mantine's dialog contains a `header`, which these rules take for a second one of the page. */
const OFF = {
  'landmark-no-duplicate-banner': { enabled: false },
  'landmark-unique': { enabled: false },
};
export const ALL_RULES: Rules = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  rules: OFF,
};
/** Those that depend on colours: nothing else differs between light and dark mode. */
export const COLOUR_RULES: Rules = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
/** The contrast takes longer than all others together. */
export const WITHOUT_CONTRAST: Rules = {
  ...ALL_RULES,
  rules: { ...OFF, 'color-contrast': { enabled: false } },
};
const CONTRAST: Rules = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** The small one, which each document reads. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Describes only what is wrong: the selectors of thousands of elements that pass take longer than
 * the rules. No rule that runs reads the style sheets.
 */
const QUICK: axe.RunOptions = {
  resultTypes: ['violations'],
  selectors: false,
  preload: { assets: ['media'] },
};

/** @param among some elements instead of the whole document */
export async function violations(
  page: Page,
  rules: Rules,
  among?: JSHandle<Element[]>,
): Promise<string[]> {
  // Through the debugger, because the content security policy allows only the page's own scripts.
  // Once for each document, which keeps it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return page.evaluate(
    async ([options, some]) => {
      const { axe: judge } = globalThis as unknown as { axe: typeof axe };
      const description = ({ html, failureSummary }: axe.NodeResult) =>
        `${html.slice(0, 160)} (${failureSummary})`;
      if (some?.length === 0) return [];
      const { violations: found } = await judge.run(some ? { include: some } : document, options);
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(description).join(' | ')}`);
    },
    [{ ...rules, ...QUICK }, among] as const,
  );
}

/** Each element that is shown, with what the contrast of its text depends on. */
export type Contrasts = JSHandle<Map<Element, string>>;

export function contrastsOf(page: Page): Promise<Contrasts> {
  return page.evaluateHandle(() => {
    const shown = [...document.querySelectorAll('body, body *')].filter((element) =>
      element.checkVisibility({ checkVisibilityCSS: true }),
    );
    return new Map(
      shown.map((element) => {
        const { color, background, fontSize, fontWeight, opacity } = getComputedStyle(element);
        return [element, [color, background, fontSize, fontWeight, opacity].join('; ')];
      }),
    );
  });
}

/** As with all rules, where the contrasts before had no violation. */
export async function violationsSince(page: Page, before: Contrasts): Promise<string[]> {
  const changed = await page.evaluateHandle(
    ([earlier, now]) =>
      [...now]
        .filter(([element, text]) => earlier.get(element) !== text)
        .map(([element]) => element),
    [before, await contrastsOf(page)] as const,
  );
  return [
    ...(await violations(page, WITHOUT_CONTRAST)),
    ...(await violations(page, CONTRAST, changed)),
  ];
}
