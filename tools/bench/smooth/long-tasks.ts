/**
 * The longest tasks of a page's main thread, on a CPU that Chromium slows down: how long they take
 * (https://www.w3.org/TR/longtasks-1/), and the time of the CPU in them, which other work on the
 * machine changes less. Input is sent to coordinates and its effect is awaited by time, because the
 * queries of a browser driver run in the same thread as the page.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { requestsEnded } from '../../../tests/support/browser.ts';

/** Longer than a search waits for another key. */
const SETTLE_MS = 600;

/** Of one step, on the slowed CPU. */
const MOST_MS = 120_000;

/** In milliseconds, of each round. */
export interface LongestTasks {
  taken: number[];
  cpu: number[];
}

export interface MeasuredPage {
  page: Page;
  /** Runs the action on the slowed CPU, and measures nothing. */
  slowly(act: () => Promise<unknown>): Promise<void>;
  /** Runs the action on the slowed CPU. */
  measure(name: string, act: () => Promise<unknown>): Promise<void>;
  /** Measures a click at the middle of the element. */
  click(name: string, target: Locator): Promise<void>;
  /** By the name of the action. */
  results: ReadonlyMap<string, LongestTasks>;
}

/** @param traces the folder for a trace of each action, which tools of browsers open */
export async function measuredPage(
  page: Page,
  slowdown: number,
  traces?: string,
): Promise<MeasuredPage> {
  await page.addInitScript(watchTasks);
  const debug = await page.context().newCDPSession(page);
  const results = new Map<string, LongestTasks>();

  async function slowly(act: () => Promise<unknown>): Promise<void> {
    await debug.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await act();
    await waitUntilSettled(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }

  async function measure(name: string, act: () => Promise<unknown>): Promise<void> {
    const step = <T>(part: string, work: Promise<T>) => limit(`${name}: ${part}`, work);
    await step('the tasks before', takenTasks(page));
    const stop = await step('start of the trace', traceTasks(debug, traces !== undefined));
    // The first script of a detailed trace pays for its start.
    await page.evaluate(() => undefined);
    await step('the action', slowly(act));
    const all = results.get(name) ?? { taken: [], cpu: [] };
    const events = await step('end of the trace', stop());
    all.cpu.push(longestTask(events));
    all.taken.push(Math.max(0, ...(await step('its tasks', takenTasks(page)))));
    results.set(name, all);
    if (traces !== undefined) await writeTrace(traces, name, events);
  }

  return {
    page,
    results,
    slowly,
    measure,
    async click(name, target) {
      // Waits until the element no longer moves and is not covered.
      await target.click({ trial: true });
      const box = await target.boundingBox();
      if (box === null) throw new Error(`${name}: nothing to click on`);
      const { x, y, width, height } = box;
      await measure(name, () => page.mouse.click(x + width / 2, y + height / 2));
    },
  };
}

/** Calls of the debugger wait forever for a page that does not answer. */
async function limit<T>(name: string, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = sleep(MOST_MS, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`${name}: not done after ${MOST_MS / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    ended.abort();
  }
}

/** Waits for answers, for searches that wait for another key, and for an idle main thread. */
async function waitUntilSettled(page: Page): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    await sleep(SETTLE_MS);
    await requestsEnded(page);
    // After all other tasks. A page without frames may wait for its idle callbacks forever.
    await page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }));
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

const TASKS = ['toplevel'];
const DETAILS = [
  ...TASKS,
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-v8.cpu_profiler',
];

/** Returns a function that ends the trace, and has its events. */
async function traceTasks(
  debug: CDPSession,
  isDetailed: boolean,
): Promise<() => Promise<TraceEvent[]>> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[]));
  debug.on('Tracing.dataCollected', take);
  await debug.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: isDetailed ? DETAILS : TASKS,
      excludedCategories: ['*'],
    },
  });
  return async () => {
    const complete = new Promise((resolve) => debug.once('Tracing.tracingComplete', resolve));
    await debug.send('Tracing.end');
    await complete;
    debug.off('Tracing.dataCollected', take);
    return events;
  };
}

/** The most CPU time of a task of a page's main thread, in milliseconds. */
function longestTask(events: readonly TraceEvent[]): number {
  const main = events.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const threads = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`));
  const times = events
    .filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
  return Math.round(Math.max(0, ...times));
}

async function writeTrace(folder: string, name: string, traceEvents: TraceEvent[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
  await writeFile(file, JSON.stringify({ traceEvents }));
}
