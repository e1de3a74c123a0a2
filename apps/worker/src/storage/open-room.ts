/** Composes the disk of DATA_DIR: its space, the room of pulls, and how room is made. */
import type { AuditLog } from '@portcullis/events';
import type { DiskSpace, Logger, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { WorkerConfig } from '../config.ts';
import { createAnnouncer } from '../pipeline/announce.ts';
import { type Disk, openDisk } from './disk.ts';
import { makingRoom, releasePorts } from './make-room.ts';
import { type PullRoom, pullRoom } from './pull-room.ts';
import { type WorkSpace, workSpace } from './space.ts';
import { workerPromises } from './worker-promises.ts';

export interface RoomParts {
  config: Pick<WorkerConfig, 'DATA_DIR' | 'workerId'>;
  storageId: string;
  diskOfData: DiskSpace;
  redis: Redis;
  audit: AuditLog;
  store: Pick<Store, 'jobs'>;
  log: Logger;
}

export interface OpenRoom {
  disk: Disk;
  space: WorkSpace;
  pulls: PullRoom;
  close(): Promise<void>;
}

export async function openRoom(parts: RoomParts): Promise<OpenRoom> {
  const { config, storageId, diskOfData, redis, audit, store, log } = parts;
  const { DATA_DIR: dataDir, workerId } = config;
  const space = workSpace(diskOfData);
  const promises = workerPromises(redis, { storageId, workerId, log });
  const disk = await openDisk(dataDir, {
    space: { claim: (bytes, digest) => pulls.claim(bytes, digest) },
  });
  const { publish } = createAnnouncer(redis, audit, log);
  const released = releasePorts({ store, disk, publish });
  const pulls = pullRoom({
    disk: diskOfData,
    space,
    makeRoom: makingRoom({ ...released, cache: disk.cache, log }),
    exchange: promises.exchange,
    now: Date.now,
  });
  promises.keepTelling(pulls.told);
  return { disk, space, pulls, close: promises.stop };
}
