import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { watchLoop } from './loop-watch.ts';
import { createMetrics } from './metrics.ts';

function watched() {
  const metrics = createMetrics({ defaults: false });
  const watch = watchLoop(metrics);
  onTestFinished(watch.stop);
  return { metrics, watch };
}

function work(ms: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1000 >= ms) return;
  }
}

it('reports work that holds the event loop, by its CPU time', async () => {
  const { metrics, watch } = watched();
  work(120);
  await expect.poll(watch.longestHold).toBeGreaterThanOrEqual(100);
  const text = await metrics.render();
  const longest = /^portcullis_event_loop_longest_hold_seconds (\S+)/m.exec(text)?.[1];
  expect(Number(longest)).toBeGreaterThanOrEqual(0.1);
  expect(text).toMatch(/^portcullis_event_loop_hold_seconds_bucket\{le="0\.1"\} \d+/m);
});

it('knows of work that has just ended', () => {
  const { watch } = watched();
  work(60);
  expect(watch.longestHold()).toBeGreaterThanOrEqual(50);
});

it('counts no time in which other processes run', async () => {
  const { watch } = watched();
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  onTestFinished(() => clearInterval(timer));
  execFileSync(process.execPath, ['--eval', 'while (process.cpuUsage().user < 300_000);']);
  await expect.poll(() => turns).toBeGreaterThan(20);
  expect(watch.longestHold()).toBeLessThan(250);
});
