/** The retention rule of a folder: its preview and its runs, which workers do. */
import type { Principal } from '@portcullis/domain';
import { immutablePattern } from '@portcullis/domain/immutable-tags';
import type { RetainedTag, RetentionRule } from '@portcullis/domain/retention';
import { conflict } from '@portcullis/errors';
import { expiredIn } from '@portcullis/gate';
import type { Folder, RetentionRun, Store } from '@portcullis/store';
import { assertRuleGlobs } from '../globs.ts';
import type { FolderService } from '../service.ts';

export interface RetentionPorts {
  folders: Pick<FolderService, 'get' | 'gate'>;
  retention: Pick<Store['retention'], 'repositories' | 'children' | 'latest' | 'request'>;
  /** Enqueues the task; a failure is safe. */
  wake(): Promise<void>;
  now(): Date;
  /** For tests. */
  patienceMs?: number;
}

export interface KeptRetention {
  folder: Folder;
  run: RetentionRun | null;
}

export interface PreviewedRetention {
  folder: Folder;
  repositories: number;
  tagsKept: number;
  tagsRemoved: number;
  removed: (RetainedTag & { repository: string })[];
  isComplete: boolean;
}

const SHOWN = 500;
const PATIENCE_MS = 10_000;

export function createRetentionService(ports: RetentionPorts) {
  const { folders, retention, wake, now, patienceMs = PATIENCE_MS } = ports;

  async function get(principal: Principal, idOrName: string): Promise<KeptRetention> {
    const { folder } = await folders.gate(principal, idOrName);
    return { folder, run: await retention.latest(folder.id) };
  }

  async function preview(
    idOrName: string,
    given: RetentionRule | undefined,
  ): Promise<PreviewedRetention> {
    if (given) assertRuleGlobs(given);
    const folder = await folders.get(idOrName);
    const rule = given ?? ruleOf(folder);
    const at = now();
    const order = { rule, now: at, patternOf: immutablePattern(folder.immutableTags) };
    const found: PreviewedRetention = {
      ...{ folder, repositories: 0, tagsKept: 0, tagsRemoved: 0, removed: [], isComplete: true },
    };
    for await (const each of retention.repositories(folder.name)) {
      const expired = await expiredIn(retention, each, order);
      found.repositories += 1;
      found.tagsKept += each.tags.length - expired.length;
      found.tagsRemoved += expired.length;
      for (const tag of expired.slice(0, SHOWN - found.removed.length))
        found.removed.push({ ...tag, repository: each.repository });
      if (now().getTime() - at.getTime() > patienceMs) return { ...found, isComplete: false };
    }
    return found;
  }

  async function start({ username }: Principal, idOrName: string): Promise<KeptRetention> {
    const folder = await folders.get(idOrName);
    ruleOf(folder);
    const requested = await retention.request(folder.id, username);
    await wake();
    return { folder, run: requested ?? (await retention.latest(folder.id)) };
  }

  return { get, preview, start };
}
export type RetentionService = ReturnType<typeof createRetentionService>;

function ruleOf({ name, retention }: Folder): RetentionRule {
  if (retention) return retention;
  throw conflict('RETENTION_UNSET', `The folder ${name} has no retention rule: every tag stays.`);
}
