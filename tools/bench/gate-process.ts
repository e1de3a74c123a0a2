/** Starts the api of gate-server.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface GateServer extends AsyncDisposable {
  url: string;
  findings: number;
  platforms: number;
  pid: number;
}

/** @param firsts how many more images there are, which were never pulled */
export async function startGateServer(firsts = 0): Promise<GateServer> {
  const file = path.join(import.meta.dirname, 'gate-server.ts');
  const server = spawn(process.execPath, [file, String(firsts)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const [line] = await Promise.race([once(server.stdout, 'data'), ended]);
  return {
    ...JSON.parse(String(line)),
    pid: server.pid ?? 0,
    async [Symbol.asyncDispose]() {
      server.stdin.end();
      await ended;
    },
  };
}
