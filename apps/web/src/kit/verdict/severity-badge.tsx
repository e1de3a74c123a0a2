import type { Severity } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from './badge.tsx';

const TONES = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  UNKNOWN: 'unknown',
} as const satisfies Record<Severity, Tone>;

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { severity: words } = useMessages('verdict');
  return <Badge tone={TONES[severity]}>{words[severity]}</Badge>;
}
