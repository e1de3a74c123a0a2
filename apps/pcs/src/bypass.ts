/** `--bypass`: a privileged account passes the gate only if the caller says so, with a reason. */
import type { Option } from '@portcullis/command';
import type { PcsCall } from './command.ts';

export const BYPASS: Readonly<Record<string, Option>> = {
  bypass: {
    type: 'string',
    help: 'push although the gate refuses it, for this reason; needs the right to do so',
  },
};

export function bypassOf(call: PcsCall): { bypass_gate: boolean; bypass_reason?: string } {
  const reason = call.value('bypass');
  return reason === undefined
    ? { bypass_gate: false }
    : { bypass_gate: true, bypass_reason: reason };
}
