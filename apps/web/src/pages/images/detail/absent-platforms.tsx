/** Platforms that an index lists and the registry does not have: nothing is said about them. */
import type { ImageDetail } from '@portcullis/contract';
import { ABSENT_PLATFORM_STATES, type AbsentPlatformState } from '@portcullis/domain/mirror';
import {
  IconAlertTriangle,
  IconBarrierBlock,
  IconCircleDashed,
  IconLoader,
} from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { JobFault } from '../../../kit/fault/job-fault.tsx';
import { type Column, defineColumns } from '../../../kit/table/columns.tsx';
import { Digest } from '../../../kit/text/digest.tsx';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';
import { DetailTable } from './detail-table.tsx';

type AbsentPlatform = ImageDetail['absent_platforms'][number];

export function AbsentPlatforms({ image: { absent_platforms: absent } }: { image: ImageDetail }) {
  const t = useMessages('images');
  const columns = useColumns();
  return (
    <DetailTable
      title={t.absentPlatforms}
      hint={t.absentHint}
      rows={absent}
      first="platform"
      parameter="absent_sort"
      columns={columns}
      keyOf={({ digest }) => digest}
    />
  );
}

const useColumns = defineColumns('images', (t): Column<AbsentPlatform>[] => [
  { title: t.platform, sort: 'platform', by: nameOf, cell: nameOf },
  { id: 'digest', title: t.digest, cell: ({ digest }) => <Digest digest={digest} /> },
  {
    title: t.absentState,
    sort: 'state',
    by: ({ state }) => ABSENT_PLATFORM_STATES.indexOf(state),
    cell: (platform) => <State platform={platform} />,
  },
]);

function State({ platform: { state, error } }: { platform: AbsentPlatform }) {
  const t = useMessages('images');
  const [tone, icon] = LOOKS[state];
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {t.absentStates[state]}
      </Badge>
      {error && <JobFault fault={error} />}
    </>
  );
}

const LOOKS: Record<AbsentPlatformState, [Tone, typeof IconLoader]> = {
  absent: ['unknown', IconCircleDashed],
  coming: ['wait', IconLoader],
  refused: ['critical', IconBarrierBlock],
  failed: ['critical', IconAlertTriangle],
};

function nameOf({ os, architecture, variant }: AbsentPlatform): string {
  return [os, architecture, variant].filter(Boolean).join('/');
}
