/**
 * The longest tasks of a page's main thread, on a CPU that Chromium slows down: how long they take
 * (https://www.w3.org/TR/longtasks-1/), and the time of the CPU in them, which other work on the
 * machine changes less. Input is sent to coordinates and its effect is awaited by time, because the
 * queries of a browser driver run in the same thread as the page.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { requestsEnded } from '../../../tests/support/browser.ts';

/** Longer than a search waits for another key. */
const SETTLE_MS = 600;

/** In milliseconds, of each round. */
interface LongestTasks {
  taken: number[];
  cpu: number[];
}

export interface MeasuredPage {
  page: Page;
  /** Runs the action on the slowed CPU. */
  measure(name: string, act: () => Promise<unknown>): Promise<void>;
  /** Measures a click at the middle of the element. */
  click(name: string, target: Locator): Promise<void>;
  /** By the name of the action. */
  results: ReadonlyMap<string, LongestTasks>;
}

export async function measuredPage(page: Page, slowdown: number): Promise<MeasuredPage> {
  await page.addInitScript(watchTasks);
  const debug = await page.context().newCDPSession(page);
  const results = new Map<string, LongestTasks>();

  async function measure(name: string, act: () => Promise<unknown>): Promise<void> {
    await takenTasks(page);
    const stop = await traceTasks(debug);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await act();
    await settled(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const all = results.get(name) ?? { taken: [], cpu: [] };
    all.cpu.push(await stop());
    all.taken.push(Math.max(0, ...(await takenTasks(page))));
    results.set(name, all);
  }

  return {
    page,
    results,
    measure,
    async click(name, target) {
      await target.scrollIntoViewIfNeeded();
      const box = await target.boundingBox();
      if (box === null) throw new Error(`${name}: nothing to click on`);
      const { x, y, width, height } = box;
      await measure(name, () => page.mouse.click(x + width / 2, y + height / 2));
    },
  };
}

/** Waits for answers, for searches that wait for another key, and for an idle main thread. */
async function settled(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await sleep(SETTLE_MS);
    await requestsEnded(page);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }
}

/** Runs in the page before its scripts. The browser reports tasks of 50 ms and more. */
function watchTasks(): void {
  const tasks: number[] = [];
  Object.assign(globalThis, { tasks });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: true });
}

function takenTasks(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const { tasks } = globalThis as unknown as { tasks?: number[] };
    return tasks?.splice(0) ?? [];
  });
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Of the thread's CPU, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** Returns a function that ends the trace: the most CPU time of a task of a page's main thread. */
async function traceTasks(debug: CDPSession): Promise<() => Promise<number>> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  debug.on('Tracing.dataCollected', take);
  await debug.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  return async () => {
    const complete = new Promise((resolve) => debug.once('Tracing.tracingComplete', resolve));
    await debug.send('Tracing.end');
    await complete;
    debug.off('Tracing.dataCollected', take);
    const main = events.filter(
      ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
    );
    const threads = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`));
    const times = events
      .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
      .map(({ tdur = 0 }) => tdur / 1000);
    return Math.round(Math.max(0, ...times));
  };
}
