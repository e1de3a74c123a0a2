import { Alert, Text, Title } from '@mantine/core';
import type { TransferPlan } from '@portcullis/contract';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';
import { type RowAttributes, VirtualRows } from '../../../kit/virtual/virtual-rows.tsx';
import classes from '../transfers.module.css';
import { GateBadge, GateReason, gateOf } from './plan-gate.tsx';
import { usePlanReason } from './plan-reason.ts';

type Item = TransferPlan['items'][number];
type State = Item['state'];

const PROBLEMS = ['refused', 'failed'] as const;
const OTHERS = ['copy', 'present', 'not_looked_at'] as const;
const STATES: readonly State[] = [...PROBLEMS, ...OTHERS];
/** Of the rows. */
const ORDER: readonly (State | 'blocked')[] = [...PROBLEMS, 'blocked', ...OTHERS];
const TONES: Record<State, Tone> = {
  copy: 'wait',
  present: 'good',
  refused: 'critical',
  failed: 'high',
  not_looked_at: 'unknown',
};

/** What the gate would do, in the order of the summary. */
const GATE = ['blocked', 'not_judged'] as const;
const GATE_TONES: Record<(typeof GATE)[number], Tone> = {
  blocked: 'critical',
  not_judged: 'unknown',
};

const ROW_HEIGHT = 41;

/** The plan of a transfer, problems first. Memoized: the form beside it renders often. */
export const PlanView = memo(function PlanView({
  plan,
  stale,
}: {
  plan: TransferPlan;
  stale: boolean;
}) {
  const t = useMessages('batch');
  const heading = useRef<HTMLHeadingElement>(null);
  const { totals, items } = plan;
  // The form may be longer than the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new plan comes into view
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'start' });
    heading.current?.focus({ preventScroll: true });
  }, [plan]);
  const ordered = items.toSorted((a, b) => rankOf(a) - rankOf(b));
  const isForecast = items.some(({ decision }) => decision?.scanned_at != null);
  return (
    <section data-stale={stale || undefined} className={classes.plan}>
      <Title order={2} mb="xs" ref={heading} tabIndex={-1} className={classes.planTitle ?? ''}>
        {t.planned}
        {stale && (
          <Text span size="sm" c="dimmed" ml="sm">
            {t.stale}
          </Text>
        )}
      </Title>
      <Totals totals={totals} />
      {isForecast && (
        <Text size="sm" c="dimmed" mb="sm">
          {t.forecast}
        </Text>
      )}
      {totals.refused > 0 && (
        <Alert color="red" variant="light" icon={<IconLock size={18} />} mb="sm">
          <Text size="sm">{t.refusedNote}</Text>
        </Alert>
      )}
      {totals.images > 0 && totals.present === totals.images && (
        <Alert color="gray" variant="light" icon={<IconCheck size={18} />} mb="sm">
          <Text size="sm">{t.nothingToCopy}</Text>
        </Alert>
      )}
      <table className={`${table.table} ${table.steady}`} aria-rowcount={ordered.length + 1}>
        <thead>
          <tr>
            <th scope="col">{t.image}</th>
            <th scope="col">{t.outcome}</th>
            <th scope="col">{t.destination}</th>
            <th scope="col" className={`${table.number} ${classes.sizeColumn}`}>
              {t.size}
            </th>
          </tr>
        </thead>
        <VirtualRows
          rows={ordered}
          keyOf={({ index, tag }) => `${index} ${tag}`}
          columns={4}
          height={ROW_HEIGHT}
        >
          {(item, { key, ...place }) => <Row key={key} item={item} place={place} />}
        </VirtualRows>
      </table>
    </section>
  );
});

function rankOf(item: Item): number {
  return ORDER.indexOf(gateOf(item) === 'blocked' ? 'blocked' : item.state);
}

/** The totals in one line, for the bar below a long form. */
export function PlanSummary({ plan: { totals }, stale }: { plan: TransferPlan; stale: boolean }) {
  const t = useMessages('batch');
  const format = useFormat();
  const parts = STATES.filter((state) => totals[state] > 0).map((state) =>
    t.summary[state](totals[state]),
  );
  for (const state of GATE) if (totals[state] > 0) parts.push(t.gateSummary[state](totals[state]));
  if (totals.copy > 0) parts.push(t.toMove(format.bytes(totals.bytes_to_move)));
  return (
    <Text size="sm" c={stale ? 'dimmed' : undefined} role="status">
      {stale ? t.stale : parts.join(' · ')}
    </Text>
  );
}

function Totals({ totals }: Pick<TransferPlan, 'totals'>) {
  const t = useMessages('batch');
  const format = useFormat();
  return (
    <ul className={classes.totals}>
      {STATES.filter((state) => totals[state] > 0).map((state) => (
        <li key={state} data-tone={TONES[state]}>
          {t.summary[state](totals[state])}
        </li>
      ))}
      {GATE.filter((state) => totals[state] > 0).map((state) => (
        <li key={state} data-tone={GATE_TONES[state]}>
          {t.gateSummary[state](totals[state])}
        </li>
      ))}
      {totals.copy > 0 && <li>{t.toMove(format.bytes(totals.bytes_to_move))}</li>}
    </ul>
  );
}

function Row({ item, place }: { item: Item; place: RowAttributes }) {
  const t = useMessages('batch');
  const reasonOf = usePlanReason();
  const format = useFormat();
  const reason = reasonOf(item);
  const gate = gateOf(item);
  return (
    <tr {...place}>
      <td className={classes.planned}>
        {item.repository}
        <span className={table.prefix}>:{item.tag === null ? t.allTags : item.tag}</span>
      </td>
      <td>
        <span className={table.badges}>
          <Badge tone={TONES[item.state]}>{t.state[item.state]}</Badge>
          {gate !== null && <GateBadge state={gate} />}
        </span>
        {item.decision !== null && <GateReason decision={item.decision} />}
        {reason !== null && <div className={table.reason}>{reason}</div>}
      </td>
      <td className={classes.destination}>{item.destination}</td>
      <td className={`${table.number} ${table.quiet}`}>
        {item.state === 'copy' && item.bytes_to_move !== null && format.bytes(item.bytes_to_move)}
      </td>
    </tr>
  );
}
