/** For tests and benchmarks only: the process of gate-process.fixture.ts. */
import { serveV2 } from './v2.fixture.ts';

const SAMPLE_MS = 10;

const v2 = await serveV2(process.argv[2] ?? '');
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, SAMPLE_MS).unref();

process.on('message', () => {
  process.send?.({ rss: process.memoryUsage.rss(), peak });
  peak = 0;
});
process.once('disconnect', () => void v2.stop());
process.send?.({ url: v2.url });
