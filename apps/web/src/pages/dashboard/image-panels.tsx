/** Shows the most vulnerable images and the largest repositories. */
import { Anchor, Text } from '@mantine/core';
import type { DashboardStats } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { RowName } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';
import { Bars } from './bars.tsx';

const repositoryUrl = (repository: string) => `/images/__local__/${repository}`;

export function VulnerablePanel({ images }: { images: DashboardStats['top_vulnerable'] }) {
  const t = useMessages('dashboard');
  return (
    <Panel title={t.vulnerable} flush={images.length > 0}>
      {images.length === 0 ? (
        <Text c="dimmed">{t.noVulnerable}</Text>
      ) : (
        <table className={`${table.table} ${table.inner}`}>
          <thead>
            <tr>
              <th scope="col">{t.image}</th>
              <th scope="col">{t.findings}</th>
              <th scope="col">{t.scanned}</th>
            </tr>
          </thead>
          <tbody>
            {images.map(({ repository, tag, counts, scanned_at }) => (
              <tr key={`${repository}:${tag}`}>
                <td>
                  <RowName to={repositoryUrl(repository)}>
                    <LongName>{`${repository}:${tag}`}</LongName>
                  </RowName>
                </td>
                <td>
                  <SeverityCountsView counts={counts} />
                </td>
                <td className={table.quiet}>
                  <RelativeTime at={scanned_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
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
