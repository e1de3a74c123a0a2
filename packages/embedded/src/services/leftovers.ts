/**
 * Records of started child processes. Those of a killed supervisor may still be ending, or run on
 * where the kernel did not tell them; the next start ends them.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive, pidOf } from '@portcullis/runtime';
import { z } from 'zod';
import { type Spawned, signalGroup } from './service.ts';

const Record = z.object({
  name: z.string(),
  identity: z.string(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
});
type Record = z.infer<typeof Record>;

/** Synchronous: between the start of a process and its record nothing else may happen. */
export function recordProcess(dir: string, { name, identity, stopSignal }: Spawned): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, `${name}.new`), JSON.stringify({ name, identity, stopSignal }));
  renameSync(join(dir, `${name}.new`), join(dir, `${name}.json`));
}

export function forgetProcess(dir: string, name: string): void {
  rmSync(join(dir, `${name}.json`), { force: true });
}

/**
 * Ends the children of an earlier supervisor: our own processes before the services they use.
 * Returns their names.
 */
export async function endLeftovers(
  dir: string,
  last: readonly string[],
  graceMs = 15_000,
): Promise<string[]> {
  const records = await readRecords(dir);
  for (const { identity } of records) endOrphans(pidOf(identity));
  const alive = records.filter(({ identity }) => isAlive(identity));
  const users = alive.filter(({ name }) => !last.includes(name));
  const services = alive.filter(({ name }) => last.includes(name));
  for (const group of [users, services])
    await Promise.all(group.map((record) => end(record, graceMs)));
  await rm(dir, { recursive: true, force: true });
  return alive.map(({ name }) => name);
}

/** What an ended process left in its group, whose number no other process can have meanwhile. */
function endOrphans(pid: number): void {
  if (identityOf(pid) === null) signalGroup(pid, 'SIGKILL');
}

async function readRecords(dir: string): Promise<Record[]> {
  const files = (await readdir(dir).catch(() => [])).filter((file) => file.endsWith('.json'));
  return Promise.all(
    files.map(async (file) => Record.parse(JSON.parse(await readFile(join(dir, file), 'utf8')))),
  );
}

/** Checked again before each signal: the pid may have been reused meanwhile. */
async function end({ identity, stopSignal }: Record, graceMs: number): Promise<void> {
  const pid = pidOf(identity);
  if (isAlive(identity)) process.kill(pid, stopSignal);
  const deadline = Date.now() + graceMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline) signalGroup(pid, 'SIGKILL');
    await sleep(50);
  }
  // Ends the descendants that the process left, like those of a service that is stopped normally.
  signalGroup(pid, 'SIGKILL');
}
