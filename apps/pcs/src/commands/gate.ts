/** `pcs gate`: whether an image of the built-in registry passes the policy of its folder. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '@portcullis/client';
import { findingText } from '@portcullis/command';
import type { GateDecision } from '@portcullis/contract';
import type { PcsCall, PcsCommand } from '../command.ts';
import { EXIT, exitCodeOfImage, isPending } from '../exit-codes.ts';
import { localImage } from '../images.ts';
import { painted } from '../job-lines.ts';

const EVERY_MS = 2_000;
const LONGEST_MS = 10 * 60_000;

export const gate: PcsCommand = {
  name: 'gate',
  words: ['<image>'],
  summary: 'whether an image of the built-in registry passes its policy',
  help: [
    'The image is repository:tag or repository@digest. The exit code is that of the policy of its folder, whatever the',
    'mode of the folder and the rights of the account: 0 passes, 3 blocked, 4 without a complete scan. `pcs why` prints',
    'every step of the decision.',
  ],
  options: {
    wait: { type: 'boolean', short: 'w', help: 'wait up to 10 minutes for the first scan' },
    quiet: { type: 'boolean', short: 'q', help: 'print nothing: the exit code says it' },
  },
  async run(call) {
    const decision = await decide(call, await call.api());
    return {
      lines: call.flag('quiet') ? [] : gateLines(decision),
      facts: decision,
      exitCode: exitCodeOfImage(decision),
    };
  },
};

async function decide(call: PcsCall, api: ApiClient): Promise<GateDecision> {
  const request = {
    params: { registry_id: '__local__' as const },
    query: localImage(call.words[0] ?? '', api.site),
  };
  for (const end = Date.now() + LONGEST_MS; ; ) {
    const decision = await api.call('images.getImageStanding', request);
    if (!call.flag('wait') || !isPending(decision) || Date.now() > end) {
      call.progress.clear();
      return decision;
    }
    const step = `${decision.repository} waits for its scan`;
    call.progress.show({ step, done: 0, total: 0, rate: null });
    await sleep(EVERY_MS);
  }
}

function wordOf(exitCode: number): string {
  if (exitCode === EXIT.ok) return painted('green', 'passes');
  return exitCode === EXIT.blocked ? painted('red', 'blocked') : painted('yellow', 'not scanned');
}

function gateLines(decision: GateDecision): string[] {
  const {
    repository,
    requested_digest: digest,
    policy,
    code,
    blocking,
    blocking_total: total,
  } = decision;
  const more = total - blocking.length;
  return [
    `${repository}@${digest}: ${wordOf(exitCodeOfImage(decision))}${code === null ? '' : ` (${code})`}`,
    ...blocking.map((finding) => `  ${findingText(finding)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  policy "${policy.name}"${servedText(decision)}`,
  ];
}

/** What differs from the policy: the folder does not enforce it, or not yet. */
function servedText({ outcome, because, mode, until }: GateDecision): string {
  if (outcome !== 'served' || because === 'passes') return '';
  if (because === 'grace') return `; it is still served until ${until}, in the grace period`;
  if (because === 'bypass') return '; it is served to this account, which may bypass the gate';
  return `; it is served, because the gate of the folder is ${mode === 'off' ? 'off' : 'in the mode report'}`;
}
