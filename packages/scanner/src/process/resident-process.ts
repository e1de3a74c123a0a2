/**
 * One process that obeys orders one after the other, each as a process of its arguments would
 * (`trivy resident`, packages/scanner/trivy). It ends with the one that started it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';
import { backgroundNiceness, killGroup, OUTPUT_LIMIT, type RunOptions } from './run.ts';

const Answer = z.object({ code: z.int(), memory: z.int() });

/** How an order ended: `memory` is what the process has, null where it ended with the order. */
interface Obeyed {
  code: number | null;
  signal: NodeJS.Signals | null;
  memory: number | null;
  stderr: string;
}

export interface Resident {
  /** Whether the program is one that stays. */
  stays: Promise<boolean>;
  /** Null where the process ended before it began with the order. */
  obey(args: string[], options: Pick<RunOptions, 'cwd' | 'env'>): Promise<Obeyed | null>;
  /** Whether this process waits for it. */
  hold(isHeld: boolean): void;
  /** Ends it within a command as well. */
  kill(): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startResident(
  program: string,
  { cwd, env, nice }: Pick<RunOptions, 'cwd' | 'env' | 'nice'>,
): Resident {
  const child = spawn(program, ['resident'], {
    ...{ cwd, env, detached: true },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  if (nice && child.pid !== undefined) setPriority(child.pid, backgroundNiceness(getPriority()));
  const [orders, answers] = [child.stdin as Socket, child.stdio[3] as Socket];
  // Both break where the process ends.
  for (const pipe of [orders, answers]) pipe.on('error', () => {});
  const lines = createInterface({ input: answers })[Symbol.asyncIterator]();
  const next = async () => {
    const { value } = await lines.next();
    return value === undefined ? null : Answer.parse(JSON.parse(value));
  };
  const stays = next().then(
    (answer) => answer !== null,
    () => false,
  );
  const ended = endOf(child);
  return {
    ...{ stays, ended },
    async obey(args, { cwd: dir, env: variables }) {
      const said = join(dir, 'stderr');
      await rm(said, { force: true });
      if (!(await stays)) return null;
      orders.write(`${JSON.stringify({ dir, args, env: variables })}\n`);
      const answer = await next();
      const { code, signal } = answer ? { ...answer, signal: null } : await ended;
      const stderr = await readEnd(said);
      return stderr === null ? null : { code, signal, memory: answer?.memory ?? null, stderr };
    },
    hold(isHeld) {
      for (const part of [child, orders, answers]) isHeld ? part.ref() : part.unref();
    },
    kill: () => killGroup(child, 'SIGKILL'),
  };
}

/** A program that can't be started has no exit code. */
async function endOf(child: ChildProcess): Resident['ended'] {
  try {
    const [code, signal] = await once(child, 'exit');
    return { code, signal };
  } catch {
    return { code: null, signal: null };
  }
}

/** As much as `collect` of run.ts keeps; null where there is no file. */
async function readEnd(path: string): Promise<string | null> {
  try {
    await using file = await open(path);
    return (await lastBytes(file, 4 * OUTPUT_LIMIT)).toString().slice(-OUTPUT_LIMIT);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function lastBytes(file: FileHandle, most: number): Promise<Buffer> {
  const { size } = await file.stat();
  const length = Math.min(size, most);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.subarray(0, bytesRead);
}
