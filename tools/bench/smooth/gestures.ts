/** What users do on any list. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredPage } from './long-tasks.ts';

const STEPS = 40;
const FRAME_MS = 16;
/** Of a fling of the wheel, and of a scroll bar that is dragged. */
const STEPS_PX = { scroll: 300, 'scroll fast': 1_500 };
/** After this time the page reads its data again when its tab becomes visible. */
const STALE_MS = 11_000;

export async function scroll({ page, measure }: MeasuredPage, name: string): Promise<void> {
  for (const [speed, pixels] of Object.entries(STEPS_PX)) {
    await page.evaluate(() => window.scrollTo(0, 0));
    await measure(`${name}: ${speed}`, async () => {
      for (let step = 0; step < STEPS; step += 1) {
        await page.mouse.wheel(0, pixels);
        await sleep(FRAME_MS);
      }
    });
  }
  await page.evaluate(() => window.scrollTo(0, 0));
}

export async function typeSearch(
  { page, measure }: MeasuredPage,
  name: string,
  text: string,
): Promise<void> {
  const field = page.getByRole('main').getByRole('searchbox').first();
  await field.focus();
  await measure(`${name}: type a search`, () => page.keyboard.type(text, { delay: 60 }));
  await field.selectText();
  await measure(`${name}: clear the search`, () => page.keyboard.press('Delete'));
}

/** The user returns to the tab. */
export async function refocus({ page, measure }: MeasuredPage, name: string): Promise<void> {
  await sleep(STALE_MS);
  await measure(`${name}: return to the tab`, () =>
    page.evaluate(() => window.dispatchEvent(new Event('visibilitychange'))),
  );
}
