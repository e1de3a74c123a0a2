/**
 * The kernel's rules with which netavark forwards published ports. A leftover rule sends the
 * connections of its port to an address that no container has any more.
 */
import type { ComposeEngine } from './compose-engine.ts';

const CHAIN = ['--table', 'nat'];
const FORWARDED = 'NETAVARK-HOSTPORT-DNAT';

/** Removes the rules of a compose project, and those of killed test runs. */
export async function removeForwardedPorts(
  { iptables }: Pick<ComposeEngine, 'iptables'>,
  project: string,
): Promise<void> {
  const rules = await iptables(...CHAIN, '--list-rules', FORWARDED).catch(() => ''); // no such chain yet
  const numbers = rules
    .split('\n')
    .filter((rule) => rule.startsWith('-A '))
    .flatMap((rule, index) => (isLeftover(rule, project) ? [index + 1] : []));
  for (const number of numbers.reverse())
    await iptables(...CHAIN, '--delete', FORWARDED, String(number));
}

/**
 * netavark writes the network's name into the comment of its rule, and this name begins with the
 * project's.
 */
function isLeftover(rule: string, project: string): boolean {
  const [, network, run] = /"dnat name: (pct-(\d+)-\S+)/.exec(rule) ?? [];
  if (network === undefined) return false;
  return network.startsWith(`${project}_`) || !isRunning(Number(run));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
