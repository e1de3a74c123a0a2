import { join } from 'node:path';

/** Paths of the supervisor's files under DATA_DIR; the processes have their own directories. */
export function standalonePaths(dataDir: string) {
  return {
    lock: join(dataDir, 'standalone.lock'),
    secrets: join(dataDir, 'standalone.json'),
    running: join(dataDir, 'run'),
    /** See sockets.ts. */
    sockets: join(dataDir, 'sockets'),
    logs: join(dataDir, 'logs'),
    postgres: join(dataDir, 'postgres'),
    redis: join(dataDir, 'redis'),
    registry: join(dataDir, 'registry'),
    /** The api writes the generated password here; we print it once and delete the file. */
    firstPassword: join(dataDir, 'first-password'),
  };
}
