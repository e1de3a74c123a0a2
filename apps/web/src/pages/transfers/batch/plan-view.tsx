import { Alert, Text, Title } from '@mantine/core';
import type { TransferPlan } from '@portcullis/contract';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import type { Tone } from '../../../kit/verdict/badge.tsx';
import classes from '../transfers.module.css';
import { OTHERS, type PlanState, PlanTable, PROBLEMS, TONES } from './plan-table.tsx';

/** In the order of the summary. */
const STATES: readonly PlanState[] = [...PROBLEMS, ...OTHERS];

/** What the gate would do, in the order of the summary. */
const GATE = ['blocked', 'not_judged'] as const;
const GATE_TONES: Record<(typeof GATE)[number], Tone> = {
  blocked: 'critical',
  not_judged: 'unknown',
};

/** The plan of a transfer. Memoized: the form beside it renders often. */
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
      {isForecast && <Dimmed mb="sm">{t.forecast}</Dimmed>}
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
      <PlanTable items={items} />
    </section>
  );
});

/** The totals in one line, for the bar below a long form. */
export function PlanSummary({ plan: { totals }, stale }: { plan: TransferPlan; stale: boolean }) {
  const [t, format] = useWords('batch');
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
  const [t, format] = useWords('batch');
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
