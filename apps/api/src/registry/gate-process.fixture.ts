/** For tests and benchmarks only: `/v2` in a process of its own, asked for its memory. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface Memory {
  rss: number;
  /** Since it was last asked for. */
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
      const [told] = (await once(child, 'message')) as [Memory];
      return told;
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
