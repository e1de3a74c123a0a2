/** For tests and benchmarks only: `/v2` in a separate process that reports its memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Memory {
  rss: number;
  /** The peak since the previous query. */
  peak: number;
}

export interface Gate {
  url: string;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

export async function startGate(registryUrl: string): Promise<Gate> {
  const child = fork(join(import.meta.dirname, 'gate.fixture.ts'), [registryUrl]);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    async memory() {
      child.send('memory');
      const [memory] = (await once(child, 'message')) as [Memory];
      return memory;
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
