/** What the gate would decide about an image of a plan, by earlier scans, and why. */
import type { PlannedDecision, TransferPlan } from '@portcullis/contract';
import { IconBarrierBlock, IconCircleCheck, IconClock, IconKey } from '@tabler/icons-react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';

type Item = TransferPlan['items'][number];
export type GateState = 'blocked' | 'bypass' | 'passes' | 'not_judged';

const LOOKS: Record<GateState, [Tone, typeof IconClock]> = {
  blocked: ['critical', IconBarrierBlock],
  bypass: ['high', IconKey],
  passes: ['good', IconCircleCheck],
  not_judged: ['unknown', IconClock],
};

/**
 * Null where the image was not read, so that the gate has nothing to decide. A code is the refusal
 * of the tag.
 */
export function gateOf({
  state,
  code,
  decision,
}: Pick<Item, 'state' | 'code' | 'decision'>): GateState | null {
  if (state !== 'copy' && state !== 'present') return null;
  if (code !== null) return 'blocked';
  if (decision === null) return 'not_judged';
  return decision.outcome === 'refused' ? 'blocked' : (decision.because ?? 'passes');
}

export function GateBadge({ state }: { state: GateState }) {
  const t = useMessages('batch');
  const [tone, icon] = LOOKS[state];
  return (
    <Badge tone={tone} icon={icon}>
      {t.gate[state]}
    </Badge>
  );
}

/** Nothing for an image that simply passes. */
export function GateReason({ decision }: { decision: PlannedDecision }) {
  const t = useMessages('batch');
  const cause = useCause(decision);
  const { policy } = decision;
  if (cause === null) return null;
  const by = policy.id === null ? t.byDefaultPolicy : t.byPolicy(policy.name);
  return (
    <div className={table.reason}>
      <SeverityCountsView counts={decision.counts} inWords /> {cause} · {by}
    </div>
  );
}

function useCause(decision: PlannedDecision): string | null {
  const { code, blocking, blocking_total: total, waits_until: waits } = decision;
  const [t, format] = useWords('standing');
  const { codes } = useMessages('fault');
  const [first] = blocking;
  if (code === null) return null;
  if (code === 'TOO_YOUNG' && waits !== null) return t.waitsUntil(format.dateTime(waits));
  if (code !== 'VULN_BLOCKED' || !first) return codes[code] ?? code;
  const what = t.finding(first.vulnerability, first.package);
  return t.because(total > 1 ? t.andMore(what, format.number(total - 1)) : what);
}
