/** The decision of the gate in an event, in words. */
import { Stack, Text } from '@mantine/core';
import type { AuditEvent, GateDecision, PushGateDecision } from '@portcullis/contract';
import { DEFAULT_POLICY_NAME, eventDecisions } from '@portcullis/domain';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { Blocking, Waived } from '../images/standing/explanation.tsx';

type Decision = GateDecision | PushGateDecision;

/** Of an index and of copied images there are several. */
export function EventDecisions({ event }: { event: AuditEvent }) {
  const t = useMessages('audit');
  const decisions = eventDecisions(event.detail).filter(isWhole);
  return decisions.map((decision) => (
    <section key={`${decision.repository} ${decision.digest}`}>
      <Stack gap="xs">
        <Text fw={600}>{t.decision}</Text>
        <Text>
          {t.decisions[decision.outcome]} <Reason decision={decision} who={event.actor.name} />
        </Text>
        <Facts decision={decision} />
        <Blocking decision={decision} />
        <Waived decision={decision} />
      </Stack>
    </section>
  ));
}

/** An event of another release may have a decision of another form: it is shown as it is. */
function isWhole(decision: Record<string, unknown>): decision is Decision {
  const { outcome, policy, blocking, waived } = decision;
  return (
    typeof outcome === 'string' &&
    typeof policy === 'object' &&
    policy !== null &&
    Array.isArray(blocking) &&
    Array.isArray(waived)
  );
}

function Reason({ decision, who }: { decision: Decision; who: string }) {
  const [t, format] = useWords('audit');
  const { codes } = useMessages('standing');
  const { because, code } = decision;
  const held = code !== null && codes[code];
  if (because === 'passes' || because === 'mode')
    return [t.because[because], because === 'mode' && held].filter(Boolean).join(' ');
  const why = because === 'bypass' ? t.becauseBypass(who) : graceOf(decision);
  return [why, held].filter(Boolean).join(' ');

  function graceOf(graced: Decision): string | false {
    return 'until' in graced && graced.until !== null && t.becauseGrace(format.date(graced.until));
  }
}

function Facts({ decision: { policy, report } }: { decision: Decision }) {
  const [t, format] = useWords('standing');
  const scanner = report && `${report.scanner} ${report.scanner_version}`;
  const facts = [
    policy.name === DEFAULT_POLICY_NAME
      ? t.defaultPolicy(policy.version)
      : t.policy(policy.name, policy.version),
    report === null && t.noReport,
    report && 'scanned_at' in report && t.report(scanner ?? '', format.dateTime(report.scanned_at)),
    report?.database_at && t.database(format.dateTime(report.database_at)),
  ].filter(Boolean);
  return <Dimmed>{facts.join(' ')}</Dimmed>;
}
