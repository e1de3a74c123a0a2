/** What a user does on the page of a job with thousands of findings. */
import type { Locator } from 'playwright-core';
import { refocus, scroll, typeSearch } from './gestures.ts';
import type { MeasuredPage } from './long-tasks.ts';

export async function useFindings(measured: MeasuredPage, job: string): Promise<void> {
  const { page, measure, click } = measured;
  const rows = page.locator('li[aria-setsize]');
  await page.goto('about:blank');
  await measure('job: load the page', async () => {
    await page.goto(`/staging/${job}`);
    await rows.first().waitFor();
  });
  await scroll(measured, 'job');
  await chooseOrder(measured, 'Most likely exploited first');
  await chooseOrder(measured, 'By package');
  await chooseOrder(measured, 'Most severe first');
  const critical = page.getByRole('button', { name: 'Critical 2,000', exact: true });
  await click('job: filter by a severity', critical);
  await click('job: remove the filter', critical);
  await typeSearch(measured, 'job', 'package-12');
  await click('job: open a finding', rows.first().locator('button').first());
  await click('job: close a finding', rows.first().locator('button').first());
  await click('job: group by package', byText(measured, 'Package'));
  await click('job: open a package', rows.first().locator('button').first());
  await scroll(measured, 'job by package');
  await click('job: group by vulnerability', byText(measured, 'Vulnerability'));
  await review(measured);
  await refocus(measured, 'job');
}

function byText({ page }: MeasuredPage, text: string): Locator {
  return page.getByRole('radiogroup').getByText(text, { exact: true });
}

async function chooseOrder({ page, click }: MeasuredPage, name: string): Promise<void> {
  await click('job: open the orders', page.getByRole('combobox', { name: 'Order' }));
  await click(`job: sort, ${name.toLowerCase()}`, page.getByRole('option', { name }));
}

/** The waivers of all blocking findings. */
async function review({ page, measure, click }: MeasuredPage): Promise<void> {
  await click('job: request waivers', page.getByRole('button', { name: /^(?:Allow|Request)/ }));
  const dialog = page.getByRole('dialog');
  await click('job: choose one less', dialog.getByRole('checkbox').first());
  await click('job: choose all', dialog.getByRole('button', { name: 'Choose all' }));
  await dialog.getByLabel(/^Reason/).focus();
  await measure('job: write the reason', () => page.keyboard.type('not reachable'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await dialog.first().waitFor({ state: 'detached' });
}
