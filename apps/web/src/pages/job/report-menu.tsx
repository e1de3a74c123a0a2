/** Offers the reports of a job as downloads. */
import { Menu } from '@mantine/core';
import type { Job, ReportFormat } from '@portcullis/contract';
import { IconFileDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask, url } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { MenuGroup } from '../../kit/action/menu-group.tsx';

const FORMATS = ['json', 'sarif', 'cyclonedx', 'spdx'] as const;
/** Formats without a report of one platform. */
const WHOLE = 'junit';
const FORMAT_NAMES = { json: 'JSON', sarif: 'SARIF', cyclonedx: 'CycloneDX', spdx: 'SPDX' };

/** Report downloads in each format; for an index also by platform. */
export function ReportMenu({ job }: { job: Job }) {
  const t = useMessages('job');
  const { data = [] } = useQuery(
    ask('staging.listReportPlatforms', { params: { job_id: job.job_id } }),
  );
  const platforms = [...new Set(data.flatMap(({ platform }) => platform ?? []))];
  return (
    <MenuGroup label={t.report}>
      {FORMATS.map((format) =>
        platforms.length > 1 ? (
          <Menu.Sub key={format}>
            <Menu.Sub.Target>
              <Menu.Sub.Item leftSection={<IconFileDownload size={16} />}>
                {FORMAT_NAMES[format]}
              </Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown>
              <Download job={job} format={format} label={t.allPlatforms} />
              {platforms.map((platform) => (
                <Download
                  key={platform}
                  job={job}
                  format={format}
                  platform={platform}
                  label={platform}
                />
              ))}
            </Menu.Sub.Dropdown>
          </Menu.Sub>
        ) : (
          <Download key={format} job={job} format={format} label={FORMAT_NAMES[format]} />
        ),
      )}
      <Download job={job} format={WHOLE} label="JUnit" />
    </MenuGroup>
  );
}

interface DownloadProps {
  job: Job;
  format: ReportFormat;
  platform?: string;
  label: string;
}

function Download({ job, format, platform, label }: DownloadProps) {
  const query = { format, ...(platform !== undefined && { platform }) };
  return (
    <Menu.Item
      component="a"
      href={url('staging.downloadReport', { params: { job_id: job.job_id }, query })}
      download
      leftSection={<IconFileDownload size={16} />}
    >
      {label}
    </Menu.Item>
  );
}
