/** Shows how much the folders and the largest repositories store. */
import { Anchor } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { Link } from 'react-router';
import { useWords } from '../../i18n/messages.ts';
import { Bars } from '../../kit/chart/bars.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { LongName } from '../../kit/text/long-name.tsx';

const repositoryUrl = (repository: string) => `/images/__local__/${repository}`;

const SHOWN = 12;

export function StoragePanel({ folders }: Pick<DashboardStats, 'folders'>) {
  const [t, format] = useWords('dashboard');
  const bySize = [...folders].sort((a, b) => b.bytes - a.bytes).slice(0, SHOWN);
  return (
    <Panel title={t.byFolder} description={t.eachOnce} empty={bySize.length === 0 && t.noStorage}>
      <Bars
        headings={[t.folder, t.size]}
        bars={bySize.map(({ folder, tags, bytes }) => ({
          key: folder,
          name: folder === ROOT_FOLDER ? t.noFolder : folder,
          value: bytes,
          shown: `${format.bytes(bytes)}, ${t.tags(tags)}`,
        }))}
      />
    </Panel>
  );
}

export function LargestPanel({ repositories }: { repositories: DashboardStats['largest'] }) {
  const [t, format] = useWords('dashboard');
  if (repositories.length === 0) return null;
  return (
    <Panel title={t.largest}>
      <Bars
        headings={[t.repositories, t.size]}
        bars={repositories.map(({ name, size, tag_count }) => ({
          key: name,
          name: (
            <Anchor component={Link} to={repositoryUrl(name)}>
              <LongName>{name}</LongName>
            </Anchor>
          ),
          value: size,
          shown: `${format.bytes(size)}, ${t.tags(tag_count)}`,
        }))}
      />
    </Panel>
  );
}
