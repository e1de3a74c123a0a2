import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Sorts a list by the button of a heading, and waits for its order, on which depends what the next
 * click does.
 */
export async function sortBy(part: Page | Locator, heading: string): Promise<void> {
  const button = part.getByRole('columnheader').getByRole('button', { name: heading, exact: true });
  const order = () =>
    button.evaluate((each) => each.closest('[aria-sort]')?.getAttribute('aria-sort') ?? 'none');
  const before = await order();
  await button.click();
  await expect.poll(order).not.toBe(before);
}
