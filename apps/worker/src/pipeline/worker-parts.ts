/** The parts that a worker is composed of; `main.ts` opens them. */
import type { ScanPolicy } from '@portcullis/domain';
import type { AuditLog, LiveNetwork, LiveThreatFeeds } from '@portcullis/events';
import type { Gates } from '@portcullis/gate';
import type { Queues } from '@portcullis/queue';
import type { Egress } from '@portcullis/registry-access';
import type { Logger, Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { WorkerConfig } from '../config.ts';
import type { ScannerService } from '../stages/scan/scanner-service.ts';
import type { Disk } from '../storage/disk.ts';
import type { DiskProbe } from '../storage/disk-probe.ts';
import type { ReportKeeper } from '../storage/job-reports.ts';
import type { PullRoom } from '../storage/pull-room.ts';
import type { WorkSpace } from '../storage/space.ts';
import type { StorageKeeper } from '../storage/storage.ts';
import type { Accounts } from './accounts.ts';
import type { JobRights } from './rights.ts';

export interface WorkerParts extends Gates {
  config: WorkerConfig;
  log: Logger;
  redis: Redis;
  audit: AuditLog;
  store: Store;
  queues: Queues;
  disk: Disk;
  storage: StorageKeeper;
  space: WorkSpace;
  pulls: PullRoom;
  probe: DiskProbe;
  egress: Egress;
  network: Pick<LiveNetwork, 'current'>;
  feeds: Pick<LiveThreatFeeds, 'current'>;
  policy(): Promise<ScanPolicy>;
  rights: JobRights;
  folders: Accounts['folders'];
  scannerService: ScannerService;
  reports: ReportKeeper;
}
