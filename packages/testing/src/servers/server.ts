/** Starts servers of tests in temporary folders and on free ports, and ends them. */
import { connect } from 'node:net';
import { freePort, isFree, type RunningServer } from '@portcullis/embedded';
import { isAppError } from '@portcullis/errors';
import { type TemporaryDir, temporaryDir } from '../temporary.ts';

export interface TestServer {
  url: string;
  /** `127.0.0.1:<port>` */
  host: string;
  pid: number;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Delivery {
  /**
   * As `npm start` runs it, never in a container: on a Unix socket, and with what it has confirmed
   * on the disk. Default: on a loopback port, without waiting for the disk.
   */
  asDelivered?: boolean;
}

export interface ServerSlot {
  dir: TemporaryDir;
  port: number;
}

/**
 * Starts a server in a temporary directory on a free port; retries when another program took the
 * port in between.
 */
export async function startInSlot(
  start: (place: ServerSlot) => Promise<RunningServer>,
): Promise<TestServer & { dir: string }> {
  for (let attempt = 1; ; attempt++) {
    const dir = await temporaryDir();
    const port = await freePort();
    try {
      return asTestServer(await start({ dir, port }), dir);
    } catch (error) {
      await dir.remove();
      const wasTaken =
        isAppError(error) && error.code === 'SERVICE_FAILED' && !(await isFree(port));
      if (attempt === 3 || !wasTaken) throw error;
    }
  }
}

function asTestServer(
  { service, url }: RunningServer,
  dir: TemporaryDir,
): TestServer & { dir: string } {
  const stop = async () => {
    await service.stop();
    await dir.remove();
  };
  return {
    url,
    host: new URL(url).host,
    pid: service.pid,
    dir: dir.path,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Whether something accepts connections on a loopback port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
