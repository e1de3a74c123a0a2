/**
 * `npm run bench audit-events [-- rounds]`: the CPU of one audit event of a pull, by process: the
 * difference of a GET of a manifest by tag, and of a HEAD, which does the same without an event and
 * a body. What the processes use without requests is subtracted. Prints rows of docs/benchmarks.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AIMS, marked } from './aims.ts';
import { watchCpu } from './cpu.ts';
import { median } from './figures.ts';
import { run } from './measure.ts';

const rounds = Number(process.argv[2] ?? 5);
const SECONDS = 4;
/** What is archived after the last reply counts too. */
const ARCHIVED_MS = 6_000;

const file = (name: string) => path.join(import.meta.dirname, name);
const server = spawn(process.execPath, ['--max-semi-space-size=1', file('serve-server.ts'), '1'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});

interface Taken {
  requests: number;
  /** CPU milliseconds by process. */
  spent: Record<string, number>;
}

try {
  const [line] = await once(server.stdout, 'data');
  const { origins, ...watched } = JSON.parse(String(line));

  async function take(method: 'GET' | 'HEAD' | null): Promise<Taken> {
    const spent = watchCpu(watched);
    let requests = 0;
    if (method === null) await sleep(SECONDS * 1_000);
    else {
      const args = ['manifests', origins.direct, '/v2/team/app/manifests/1', String(SECONDS)];
      const load = [process.execPath, file('serve-load.ts'), ...args, method, 'reader'];
      requests = JSON.parse((await run(load)).output).rate * SECONDS;
    }
    await sleep(ARCHIVED_MS);
    return { requests, spent: spent() };
  }

  const costs: Record<'GET' | 'HEAD' | 'event', Record<string, number>[]> = {
    GET: [],
    HEAD: [],
    event: [],
  };
  for (let nth = -1; nth < rounds; nth += 1) {
    const idle = await take(null);
    const [get, head] = [await take('GET'), await take('HEAD')];
    if (nth < 0) continue; // Code that V8 has not optimised yet.
    const each = ({ requests, spent }: Taken) =>
      Object.fromEntries(
        Object.entries(spent).map(([name, ms]) => [
          name,
          (ms - (idle.spent[name] ?? 0)) / requests,
        ]),
      );
    const [got, headed] = [each(get), each(head)];
    costs.GET.push(got);
    costs.HEAD.push(headed);
    costs.event.push(
      Object.fromEntries(Object.entries(got).map(([name, ms]) => [name, ms - (headed[name] ?? 0)])),
    );
  }
  for (const [name, runs] of Object.entries(costs)) {
    const total = median(runs.map((each) => Object.values(each).reduce((sum, ms) => sum + ms, 0)));
    const cells = Object.keys(runs[0] ?? {}).map(
      (process) => `${process} ${median(runs.map((each) => each[process] ?? 0)).toFixed(3)}`,
    );
    const all = name === 'event' ? marked(AIMS.auditEvent, total) : `${total.toFixed(3)} ms`;
    process.stdout.write(`| ${name} | ${cells.join(' | ')} | ${all} |\n`);
  }
} finally {
  server.stdin.end();
  await once(server, 'exit');
}
