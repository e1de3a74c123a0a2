/** How far images are exposed to a vulnerability: what the gate does with those that have it. */
import { Group, Stack, Text } from '@mantine/core';
import type { VulnerabilityDetail } from '@portcullis/contract';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconHourglassHigh,
  IconKey,
  IconShieldCheck,
  IconShieldLock,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { type Tone, ToneIcon } from '../../kit/verdict/badge.tsx';
import { type ExposureLine, exposureLines } from './exposure-lines.ts';
import classes from './vulnerabilities.module.css';

const LOOKS = {
  served: { icon: IconAlertTriangle, tone: 'critical' },
  bypassed: { icon: IconKey, tone: 'high' },
  refused: { icon: IconShieldLock, tone: 'high' },
  waived: { icon: IconShieldCheck, tone: 'medium' },
  passing: { icon: IconCircleCheck, tone: undefined },
  unjudged: { icon: IconCircleDashed, tone: undefined },
  staged: { icon: IconHourglassHigh, tone: undefined },
} as const satisfies Record<ExposureLine['is'], { icon: unknown; tone: Tone | undefined }>;

/** Nothing is served that should not be. */
const NOTHING = { icon: IconCircleCheck, tone: 'good' } as const;

interface ExposurePanelProps extends Pick<VulnerabilityDetail, 'exposure'> {
  /** Below the lines. */
  children: ReactNode;
}

export function ExposurePanel({ exposure, children }: ExposurePanelProps) {
  const t = useMessages('exposure');
  const lines = exposureLines(exposure);
  return (
    <Panel title={t.title} description={t.lead}>
      <Stack component="ul" gap={10}>
        {lines.map((line) => (
          <Line key={line.is} line={line} />
        ))}
      </Stack>
      <div className={classes.acts}>{children}</div>
    </Panel>
  );
}

function Line({ line: { is, images, tags, because } }: { line: ExposureLine }) {
  const t = useMessages('exposure');
  const { icon, tone } = is === 'served' && images === 0 ? NOTHING : LOOKS[is];
  return (
    <Group component="li" gap={10} wrap="nowrap" align="flex-start">
      <ToneIcon icon={icon} tone={tone} size={20} />
      <div>
        <Text fw={images > 0 && is === 'served' ? 600 : 450}>{t.lines[is](images)}</Text>
        {is !== 'staged' && is !== 'bypassed' && images > 0 && <Dimmed>{t.tags(tags)}</Dimmed>}
        {because.map((each) => (
          <Dimmed key={each.state}>{t.because[each.state](each.images)}</Dimmed>
        ))}
      </div>
    </Group>
  );
}
