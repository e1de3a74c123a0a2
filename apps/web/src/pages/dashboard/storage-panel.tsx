import { Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Bars } from './bars.tsx';

const SHOWN = 12;

export function StoragePanel({ folders }: Pick<DashboardStats, 'folders'>) {
  const [t, format] = useWords('dashboard');
  const bySize = [...folders].sort((a, b) => b.bytes - a.bytes).slice(0, SHOWN);
  return (
    <Panel title={t.byFolder} description={t.eachOnce}>
      {bySize.length === 0 ? (
        <Text c="dimmed">{t.noStorage}</Text>
      ) : (
        <Bars
          headings={[t.folder, t.size]}
          bars={bySize.map(({ folder, tags, bytes }) => ({
            key: folder,
            name: folder === '__root__' ? t.noFolder : folder,
            value: bytes,
            shown: `${format.bytes(bytes)}, ${t.tags(tags)}`,
          }))}
        />
      )}
    </Panel>
  );
}
