/**
 * One process that obeys orders one after the other, each as a process of its arguments would
 * (`trivy resident`, packages/scanner/trivy). It ends with the one that started it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { markedWords } from './marked-words.ts';
import { backgroundNiceness, killGroup, type RunOptions } from './run.ts';

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
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  if (nice && child.pid !== undefined) setPriority(child.pid, backgroundNiceness(getPriority()));
  const pipes = [child.stdin, child.stderr, child.stdio[3]] as [Socket, Socket, Socket];
  const [orders, said, answers] = pipes;
  // They break where the process ends.
  for (const pipe of pipes) pipe.on('error', () => {});
  const words = markedWords(said);
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
      if (!(await stays)) return null;
      // Nothing that a command reads can say it.
      const mark = randomUUID();
      const ownWords = words.between(mark);
      orders.write(`${JSON.stringify({ dir, args, env: variables, mark })}\n`);
      const answer = await next();
      const stderr = await ownWords;
      if (stderr === null) return null;
      const { code, signal } = answer ? { ...answer, signal: null } : await ended;
      return { code, signal, memory: answer?.memory ?? null, stderr };
    },
    hold(isHeld) {
      for (const part of [child, ...pipes]) isHeld ? part.ref() : part.unref();
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
