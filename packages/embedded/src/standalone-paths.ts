import { join } from 'node:path';

/** What the supervisor keeps under DATA_DIR; the processes have their own places beside. */
export function standalonePaths(dataDir: string) {
  return {
    lock: join(dataDir, 'standalone.lock'),
    remembered: join(dataDir, 'standalone.json'),
    running: join(dataDir, 'run'),
    /** See sockets.ts. */
    sockets: join(dataDir, 'sockets'),
    logs: join(dataDir, 'logs'),
    postgres: join(dataDir, 'postgres'),
    redis: join(dataDir, 'redis'),
    registry: join(dataDir, 'registry'),
    /** The api writes the password it made there; we show it once and delete it. */
    firstPassword: join(dataDir, 'first-password'),
  };
}
