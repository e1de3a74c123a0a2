/** The vulnerabilities of one package: a kernel has thousands. */

import { Group, Stack } from '@mantine/core';
import { useState, useTransition } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { OutsideLink } from '../../../kit/text/outside-link.tsx';
import { SeverityBadge } from '../../../kit/verdict/severity-badge.tsx';
import { type FindingRow, severityIn } from './finding-list.ts';
import { NewMark } from './new-mark.tsx';
import { WaiverNote } from './waiver-note.tsx';

const SHOWN_AT_ONCE = 100;

export function FindingLinks({ row }: { row: FindingRow }) {
  const t = useMessages('findings');
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  const [isRendering, startRendering] = useTransition();
  const pages = {
    hasNextPage: most < row.findings.length,
    isFetchingNextPage: isRendering,
    async fetchNextPage() {
      startRendering(() => setMost(most + SHOWN_AT_ONCE));
    },
  };
  return (
    <Stack gap={8}>
      <Stack component="ul" gap={8}>
        {row.findings.slice(0, most).map((found) => (
          <Group component="li" gap="4px 8px" key={found.id}>
            <SeverityBadge severity={severityIn(found, row)} />
            {found.primary_url ? (
              <OutsideLink href={found.primary_url}>{found.id}</OutsideLink>
            ) : (
              found.id
            )}
            <NewMark findings={[found]} />
            <Dimmed span>{found.title}</Dimmed>
            <WaiverNote vulnerability={found.id} />
          </Group>
        ))}
      </Stack>
      <MoreButton pages={pages} size="compact-sm">
        {t.moreLinks}
      </MoreButton>
    </Stack>
  );
}
